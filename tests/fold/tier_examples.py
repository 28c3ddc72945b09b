"""Sentences that must, or must not, outlive folding: told for these tests, in both languages."""

ENGLISH_GOALS = """
From now on answer in Chinese.
Please reply in French from here on.
Always put the units in the table header.
Never touch the production database.
Don't use any third-party libraries.
Do not book anything without asking me first.
Make sure all timestamps are in UTC.
It must support Python 3.9.
The build has to run on Windows as well.
My budget is 40,000 dollars.
Keep it under 300 words.
I don't want to pay more than $50.
No flights before 11am, please.
I'd prefer an aisle seat.
I prefer tabs over spaces.
I won't accept a layover longer than two hours.
Call me Sam.
Only change the files under src/.
Whenever I ask for a summary, give me five bullet points.
Stop adding emojis to your replies.
The deadline is 14 June.
The report is due on Friday.
Until further notice, send nothing to the client.
You should never commit directly to main.
Could you please always cite your sources?
Be sure to keep the old API working.
Avoid passive voice.
I'm willing to pay up to $120 for the change.
Remember that the demo machine has no network.
The answer should include a worked example.
Use only open-source components.
Write in plain English, please.
My goal is to run a marathon in under four hours.
Our main objective is to halve the response time.
I need to cancel reservation QX81LM.
I'd like to book a flight from Oslo to Rome for two.
I want you to act as a strict code reviewer.
Help me prepare the quarterly review.
Please refactor the parser into two modules.
Can you cancel my subscription?
Write a function that merges two sorted lists.
We need to migrate the billing service to the new cluster.
Yes, please proceed with the refund.
Translate the following letter into German.
I'll send the report by Friday.
I will fix the login page before tomorrow noon.
We'll deliver the first draft within two weeks.
I promise to review your patch.
I promise I'll send the contract.
You'll have the figures by Monday.
I'm going to submit the application tomorrow.
We guarantee to refund the deposit.
todo: ask legal about the licence
The venue is still to be confirmed.
We haven't decided which vendor to take.
The colour of the logo is still open.
I'm waiting for Maria to approve the design.
Remind me to renew the certificate.
Pending approval from finance.
We still need to test the backup.
""".strip().splitlines()

ENGLISH_TALK = """
I'll let you know how it goes.
I'll call you later!
We should hang out sometime.
I always loved the sea.
I never knew that about you.
Don't worry about it.
You must be so proud!
That must have been hard.
I have to go now, talk soon.
I can't wait to see the pictures.
It turned out lovely.
Never mind.
Remember when we got lost in Lisbon?
We preferred the old café by the river.
She always keeps her promises.
He told me never to give up.
What time does the shop open?
How do I make sure the cache is warm?
Do you think I should move?
Is it true that cats always land on their feet?
The weather has been awful all week.
My sister works for an insurance company.
We went hiking on Saturday and saw a fox.
Thanks so much, that was really helpful!
I think I'll look into it.
You're going to love this place.
These photos remind me of my childhood.
The movie was about a bank robbery.
I used to play the violin.
It's amazing how much we still have to learn.
Let's keep in touch!
Good luck with the exam tomorrow!
Our dog is called Biscuit.
The train was late again.
I've been learning to bake bread.
The museum has a new wing.
Don't you think that's funny?
I don't know what to say.
Sounds like a plan!
You never fail to make me laugh.
I was thinking about our trip.
My parents visited us last month.
That's a great idea.
I hope you feel better soon.
We had a wonderful time at the wedding.
The recipe calls for two eggs.
It is still raining here.
Did you finish the book?
I read that the bridge was built in 1932.
Wow, what a view!
I'm so happy for you.
He plays chess on Sundays.
They moved into a bigger flat.
I might take up painting.
See you on Tuesday!
Nothing beats a good coffee.
The concert starts at eight.
I guess we'll see.
Her garden is full of roses.
That reminds me of a joke.
""".strip().splitlines()

CHINESE_GOALS = """
以后请用中文回答。
以後請用繁體中文回答。
从现在起每次都要先给结论。
预算不能超过三万。
預算不能超過三萬。
千万不要动生产环境。
必须支持 Python 3.9。
请不要使用第三方库。
请务必在周五之前完成。
不要在上班时间重启服务器。
别用表格，直接写文字。
记住，客户的名字不能出现在邮件里。
回答请控制在两百字以内。
我不想坐上午十一点之前的航班。
我不接受转机。
只能用开源组件。
我的预算是五千元。
预算最多两万。
截止日期是6月14日。
最晚下周三要交。
请称呼我王老师。
请叫我小林。
改用英文回答。
请用简单的语言解释。
代码里一律不能写死密码。
每次我问价格，都要附上来源。
确保所有时间都是北京时间。
避免使用专业术语。
禁止直接提交到主分支。
請勿洩露客戶資料。
我希望你以后都先列提纲。
最多只能花三百块。
我们的目标是把响应时间减半。
我的目标是年底前跑完全马。
帮我调研一下向量数据库的部署方案。
请帮我整理会议纪要。
我想取消周六的预订。
麻烦你把这封信翻译成英文。
帮我写一份周报。
请你重构这个解析模块。
我需要你设计一个登录页面。
能不能帮我改签到下周一的航班？
替我订两张去上海的高铁票。
任务：整理所有发票。
我保证周五前发给你。
我保證週五前發給你。
我今晚把报告整理好发给您。
我们下周一之前交付初稿。
明天中午之前我会修好登录页面。
我答应你把合同发过去。
我承诺月底前完成迁移。
我明天提交申请。
待确认：会场地址。
还没定用哪个数据库。
還沒決定用哪個供應商。
供应商人选尚未确定。
接口格式有待讨论。
还需要跟法务确认一下。
正在等财务审批。
到时候提醒我续费。
""".strip().splitlines()

CHINESE_TALK = """
今天天气真好。
我待会儿给你打电话。
改天一起吃饭吧。
我一直很喜欢大海。
别担心，会好起来的。
别客气，应该的。
不要紧，慢慢来。
你一定很开心吧！
我必须走了，回头聊。
我等不及要看照片了。
我妹妹在保险公司上班。
周末我们去爬山，看到一只狐狸。
谢谢你，太有用了！
我想我会去看看的。
你会喜欢这个地方的。
这些照片让我想起小时候。
那部电影讲的是抢银行。
我以前会拉小提琴。
祝你明天考试顺利！
我家的狗叫饼干。
火车又晚点了。
我最近在学做面包。
博物馆新开了一个展厅。
你不觉得很好笑吗？
我不知道说什么好。
听起来不错！
我在想我们的旅行。
上个月我爸妈来看我们。
这主意真棒。
希望你早日康复。
婚礼上我们玩得很开心。
这个菜谱要用两个鸡蛋。
外面还在下雨。
那本书你看完了吗？
那座桥是1932年建的。
哇，风景真美！
真为你高兴。
他每个星期天下棋。
他们搬进了更大的房子。
我可能会学画画。
星期二见！
没有什么比一杯好咖啡更棒了。
音乐会八点开始。
到时候再看吧。
她的花园里开满了玫瑰。
这让我想起一个笑话。
我舅舅今年五十三岁。
我同事在深圳工作。
下周三我要去参加一个婚礼。
昨天的会开了两个小时。
我朋友的手机号尾号是3366。
她的生日是八月六号。
他的爱好是摄影。
我每天早上跑步五公里。
这家餐厅的面很好吃。
我们部门来了一位新同事。
孩子们都睡着了。
雨停了我们就出门了。
我喜欢听爵士乐。
這裡的風景真漂亮。
""".strip().splitlines()

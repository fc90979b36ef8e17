"""What people also tell their assistants, and nobody wants to know again: a line each."""

CHATTER = """
the meeting took forever and nobody had read the agenda
I spent the whole morning on hold with the insurance
my inbox has 214 unread mails and counting
the kids are fighting over the tablet again
traffic on the ring road was insane today, 50 minutes for 8 km
the new guy in accounting smells like mints
we were just talking about you at lunch
that restaurant on 5th was pretty good actually
the second paragraph sounds a bit stiff to me
your last version was closer to what I had in mind
this table has one column too many
the link in your message gives me a 404
I can't find the file you sent on Monday
the printer says it's out of magenta, I only print black
my phone is at 3 percent and the charger is upstairs
there's a wasp in my office and I'm not brave
we ended up ordering pizza because nobody wanted to cook
the dog ate half a sock this morning
I watched three episodes last night and regret nothing
the wifi in this hotel is a joke
our flight is delayed by 40 minutes, sitting at gate B12
the lady at the counter was so rude to me
it took me two hours to find a parking spot
I'm at the dentist until 4, call me after that
the build is running, should be green in 10 minutes
staging is slow today, the page needs 8 seconds to load
I just pushed a fix, let's see if that helps
the tests pass on my machine but not in CI
something is eating the memory on the worker node
I restarted the pod twice and it still hangs
the customer is on the phone right now, I'll write later
he told me the project is going to be cancelled, but he says a lot
my neighbour thinks the council will ban wood stoves
they say the new line will open in 2028
according to the blog the next version is twice as fast
I read somewhere that oat milk spikes your blood sugar
some people put ketchup on it, can you believe that
in a perfect world we would have two more people
if I were you I would have used a map there
we could always rent a van and do it ourselves
maybe we should look for a bigger flat next year
I was thinking we move the kickoff to May, not sure yet
one option is to keep both shops open until June
it depends on what the bank says on Tuesday
I would love to learn the cello one of these days
the sunset from the balcony was unreal tonight
her speech made everybody cry, even the waiter
the cake collapsed five minutes before the guests came
I burned the rice because I was reading your answer
my back hurts from sitting on that chair all day
the vet's waiting room had a parrot that swears
the game went to penalties and we lost, of course
last night's storm took down the neighbour's trampoline
you wrote "its" instead of "it's" in the third line
there is a typo in the second heading of the page
the numbers in column C don't add up with the total
the answer you gave me yesterday was better than this one
I've got 20 minutes before the next call starts
I have to leave in half an hour, so make it brief
today was one of those days where everything breaks
the elevator is out of order again, 7 floors, my legs
it's 35 degrees in here and the AC is dead
my grandmother used to say never trust a thin cook
people on the train were staring at my hat
the new season starts slow but gets better
we walked 14 km yesterday, my feet are done
the soup needs more salt, otherwise it's great
she laughed so hard that coffee came out of her nose
everyone at work is sick this week
I'm trying to read the contract but it's 60 pages of fog
the baby slept four hours in a row, a record
he still hasn't answered my mail from last Tuesday
the delivery guy left the parcel in the rain again
I had to google what half of these words mean
I thought the exam was tomorrow, nearly had a heart attack
the first draft was 900 words, way too long
you were right about the font by the way
that joke in the intro fell totally flat with my boss
I'm making tea, back in five
the queue at the post office was out the door
this song has been in my head since Tuesday
my son wants a snake for his birthday, absolutely not
the demo crashed twice in front of the whole team, so embarrassing
someone parked in my spot and left the engine running
apparently the mayor is resigning over the bridge thing
the novel gets really good after chapter 12
we'd save a lot if diesel went back to 1.50
the recruiter offered me 90k, I almost laughed
what you say about the second quarter makes sense
I'm reading your summary now, looks fine so far
the plumber was supposed to come at 9 and it's noon
can't believe it's already november, where did the year go
the hotel breakfast had 12 kinds of cheese
your estimate of 3 days sounds optimistic to me
he plays the drums at 11 at night, every night, I swear
the translation reads like a robot wrote it
the app logs me out every ten minutes, so annoying
my coffee got cold while I was waiting for the export
that was a long call, 90 minutes about a logo
I only understood half of what the lawyer said
the photo you attached is rotated by 90 degrees
we sat in the garden until midnight with candles
I'm on the third coffee and it's not even 10
the old version had a search box at the top
the guy next to me on the plane snored for six hours straight
our team lost the quiz by one point, I blame Kevin
my landlord's cat sits on my doormat every morning and judges me
the sandwich place downstairs raised its prices and the bread got smaller
I've been staring at this spreadsheet since eight and nothing adds up
my boss wants a word with me, wish me luck
the sample you generated has the wrong header
page three of your report is empty
the cursor jumps to the top whenever I paste something, so weird
I tried the thing with the vinegar and it stank
the car makes a funny noise when I turn left
it says connection refused on port 8080
the container exits with code 137 after a few seconds
the train is full of football fans and they are singing
my daughter painted the wall with yogurt
there were about 200 people in front of the embassy this morning
the wine was corked and the waiter pretended not to notice
her new boyfriend is 24 and sells crypto
the neighbours have a new baby so sleep is over for all of us
I finally finished the dishes, it took an hour
someone in the meeting kept saying "synergy"
the third option in your list is the least bad one
I ate too much cake and now I need to lie down
grandpa told the story about the tractor for the tenth time
the movie was three hours and felt like five
my glasses are somewhere in this house
the concert was sold out in four minutes, no chance
your tone in the last mail was a bit cold
she posted 14 pictures of the same salad
the museum had a queue of 300 m so we went for ice cream
the ceiling in the office drips into a bucket named Bob
the bakery ran out of croissants at 9, disaster
I think the second logo is stronger but the colors are off
our printer only works when Sabine looks at it
my running app says I burned 900 calories, sure
he promised to call back before noon, it's 5
the exam had a question about whales, in statistics
the new chairs are ugly but my back likes them
I keep mixing up Malta and Malmö
the garden looks like a jungle after two weeks away
the boiler guy charged 180 for ten minutes, what a rip-off
your code has a missing bracket on line 40
the pasta was al dente for once
my mother calls it the internet machine
the lecture was about a guy who counted ants for 20 years
I wrote 300 words and deleted 280 of them
we could just drop the whole thing and move to Portugal
the bus driver waited for me, faith in humanity restored
a colleague of mine collects airline spoons
the meeting got moved twice and then nobody came
the soup is on the stove, give me a second
the cat knocked the router off the shelf
the song is four minutes of someone breathing
my cousin's wedding had three dress codes
it rained on the only day we wanted to hike
we decided to skip dessert after all
I always forget her name
I never liked that guy anyway
my brother decided to become a DJ, god help us
we agreed it was the worst pizza ever
they decided to close the road right when I needed it
Apple decided to remove the headphone jack, remember that
I'm going to make a coffee now
let's move on to the next point
let's keep the second version for now and see
we'll see what the doctor says
I'll do the dishes later
I prefer the blue one of these two pictures
I like how you phrased the ending
I hate it when people chew loudly
I love this song so much
I always say that to my students too
never mind, found it in my downloads
we should probably switch to another provider
maybe we go with Postgres, maybe not
if we moved to Berlin we would need a car
I might start running again in spring
she wants me to use Notion for everything, no chance
my boss prefers phone calls, ugh
the article says you should always warm up first
the podcast guy swears by cold showers at 5 am
apparently the new policy is no headphones at all
people say the deadline will move to June anyway
I learned today that otters hold hands
turns out I was holding the map upside down
lesson learned: don't drink tequila with colleagues haha
the trick with the lemon didn't work at all
I finally finished season two last night
we launched a paper plane from the roof and it flew 40 m
I sold my soul to this spreadsheet
the client signed off on the wrong mockup again
the meeting is scheduled for right now and nobody is here
my parcel is due today between 10 and 18, of course
the train leaves in 12 minutes and I'm still at home
the deadline is in two hours and I have nothing
write to Tom that we decided to cancel the booking
put "always use tabs" into the readme
translate: the meeting was moved to Thursday
tell her the invoice is due on Friday
add a line that says we never share customer data
could you note somewhere how much it was
I told him we never work on sundays and he just laughed
Ben says we moved to the new server, but I don't see it
she told me the office is closed on Monday, is that right
he said the release is planned for March, typical marketing
from what I hear the rent goes up everywhere
whoever decided on this font should be fired
nobody decided anything, as usual
we could never afford a house there, 900k for a shed
I was going to book the 14th but now I'm not sure
the plan was to be home by six, well
I wanted to switch to decaf but here we are with espresso four
it always rains when I wash the car
every time I open that app it wants an update
only 14 more sleeps until the holidays
""".strip().splitlines()

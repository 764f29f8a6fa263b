// Package tune chooses between options that do the same, by what each has taken on live traffic of this
// process. It knows costs and numbers of options, not what they do.
package tune

// MostOptions is the largest number of options of a Choice.
const MostOptions = 4

// Choice is a choice between some options, for operations of one kind and about one size. The first option
// is taken for a while, then each other is tried; then the cheapest is taken, and the others are tried again
// now and then, the less often the more that costs. So a change of the surroundings is noticed, be it that
// of the best option, whose cost is known at every use, or that of another. The zero value has tried nothing
// yet. It is used by one thread at a time.
type Choice struct {
	cost   [MostOptions]float64 // of an operation with each option, in the caller's unit; 0 when unknown
	last   [MostOptions]uint32  // the use in which each was taken last
	tries  [MostOptions]uint8   // how often each has been tried
	groups [MostOptions]group
	uses   uint32
	slow   uint32 // in how many uses in a row the best option has seemed slower than another
	best   int8
	trial  trial
	length uint32 // of the last trial, in operations
}

// group is the operations of one option that have ended since the last time that so many had.
type group struct {
	runs uint8
	sum  float64 // of what they have taken
}

// trial is some operations in a row with one option, to find out what they take. The first ones take longer,
// because caches and page tables hold what other options have used. It goes on until they do not get quicker
// any more. No other option is taken meanwhile, once some have ended: of operations that are under way
// together the ones would be charged for the others.
type trial struct {
	on     bool
	option int8
	begun  uint32  // operations
	runs   uint8   // groups of them that have ended
	quiet  uint8   // groups since one was quicker than all before
	least  float64 // what an operation of the quickest has taken
	mean   float64 // what the last ones have taken
}

const (
	// What operations take is looked at in groups of so many, by their mean. Some that are under way together
	// often end together, and then the last ones seem to take no time: of single ones the middle would say
	// less than the mean.
	groupRuns = 4

	// A trial ends when so many groups were no quicker than the quickest, or after so many in all.
	quietGroups = 2
	mostGroups  = 8

	// mostBlind is how many operations of a trial may begin before it is known what any has taken.
	mostBlind = 2 * groupRuns

	// firstUses is how often the first option is taken before others are tried.
	firstUses = 8

	// Trials take at most this part of the time in the long run; mostGap is between how many uses an option
	// is tried again at most. What the first operations of a process take is not typical, so the second trial
	// comes after firstGap uses, and each later one after four times as many as the one before, until those
	// that the long run allows are reached.
	exploring = 1.0 / 200
	leastGap  = 1 << 10
	mostGap   = 1 << 16
	firstGap  = 64

	// gain is how much cheaper another option must be to become the best, and a group to be the quickest of
	// a trial.
	gain = 1.0 / 16

	// Where the best option has seemed slower than another one for patience uses, that one is tried again:
	// its figure may be from a better time. If it is cheaper now as well, it becomes the best, and the former
	// one is tried again soon. What the first trial of an option has found counts at once.
	patience = 32

	// step bounds how far one group raises a cost: a thread that has lost its processor measures anything.
	// Twice as far it lowers one.
	step = 1.0 / 8

	// A trial is over as soon as a group but the first takes so many times as long as one of the best.
	hopeless = 4

	// A trial of an option that was so many times as dear as the best is over after one group that is no
	// quicker than before.
	dear = 1 + 4*gain

	// sureTries is how often an option must have been tried for the choice to be sure of another one. The
	// first operations of a process are not typical.
	sureTries = 3

	// free is the least cost of a group: 0 stands for an unknown one.
	free = 1e-9
)

// Pick is the option to take next, of those whose bit is set in options, which is not 0. first is the one to
// begin with where nothing is known; it is one of them.
func (c *Choice) Pick(options uint8, first int) int {
	c.uses++
	if c.trial.on && options>>c.trial.option&1 != 0 && (c.trial.runs > 0 || c.trial.begun < mostBlind) {
		return c.take(int(c.trial.option))
	}
	if c.trial.on && c.uses-c.last[c.trial.option] > leastGap {
		c.trial.on = false // that option has not been possible for long
	}
	best, unknown := c.compare(options)
	switch {
	case best < 0 && c.trial.on:
		return c.take(first)
	case best < 0:
		return c.try(first)
	case unknown >= 0 && c.uses > firstUses && !c.trial.on:
		return c.try(unknown)
	}
	best, again := c.settle(best, options)
	if again {
		return c.try(best)
	}
	for w := range MostOptions {
		if !c.trial.on && options>>w&1 != 0 && w != best && c.cost[w] != 0 && c.uses-c.last[w] >= c.gap(w) {
			return c.try(w)
		}
	}
	return c.take(best)
}

// settle says which option is the best, where another one seems the cheapest: that counts once it is surely
// cheaper. again says that this one has to be tried again first.
func (c *Choice) settle(cheapest int, options uint8) (best int, again bool) {
	best = cheapest
	b := int(c.best)
	possible := options>>b&1 != 0
	if best != b && possible {
		switch {
		case c.cost[best] > c.cost[b]*(1-gain):
			best, c.slow = b, 0
		case c.tries[best] == 1, c.slow > patience && !c.trial.on:
			c.tries[b], c.slow = 1, 0
		case c.trial.on:
			best = b
		case c.slow < patience:
			best, c.slow = b, c.slow+1
		default:
			c.slow++
			return best, true
		}
	}
	if possible || c.cost[b] == 0 {
		c.best = int8(best)
	}
	return best, false
}

// compare finds the cheapest of some options, and one whose cost is unknown; -1 for none.
func (c *Choice) compare(options uint8) (best, unknown int) {
	best, unknown = -1, -1
	for w := range MostOptions {
		switch {
		case options>>w&1 == 0:
		case c.cost[w] == 0:
			unknown = w
		case best < 0 || c.cost[w] < c.cost[best]:
			best = w
		}
	}
	return best, unknown
}

func (c *Choice) take(w int) int {
	c.last[w] = c.uses
	if c.trial.on && w == int(c.trial.option) {
		c.trial.begun++
	}
	return w
}

// try begins a trial.
func (c *Choice) try(w int) int {
	c.trial = trial{on: true, option: int8(w)}
	c.groups[w] = group{}
	return c.take(w)
}

// gap is after how many uses option w is tried again.
func (c *Choice) gap(w int) uint32 {
	ratio := c.cost[w] / c.cost[c.best]
	gap := min(max(float64(c.length)*(ratio-1)/exploring, leastGap), mostGap)
	if ratio < hopeless {
		gap = min(gap, float64(uint32(firstGap)<<(2*min(c.tries[w], 8)-2)))
	}
	return uint32(gap)
}

// Note says what an operation has taken with an option.
func (c *Choice) Note(w int, cost float64) {
	g := &c.groups[w]
	g.runs++
	g.sum += cost
	if g.runs < groupRuns {
		return
	}
	mean := max(g.sum/groupRuns, free)
	*g = group{}
	old := c.cost[w]
	switch {
	case c.trial.on && w == int(c.trial.option):
		over, best := c.trial.note(mean), c.cost[c.best]
		switch {
		case c.confirms(w, mean):
			c.trial.mean = old
		case !over && (c.trial.runs == 1 || best == 0 || mean <= hopeless*best):
			return
		}
		c.tries[w] = min(c.tries[w]+1, 99)
		c.cost[w], c.trial.on, c.length = c.trial.mean, false, c.trial.begun
	case old != 0:
		c.cost[w] = old + min(max(mean-old, -2*old*step), old*step)
	}
}

// Pass says that an operation with an option counts for nothing: what it has taken is not typical.
func (c *Choice) Pass(w int) {
	if c.trial.on && w == int(c.trial.option) && c.trial.begun > 0 {
		c.trial.begun--
	}
}

// confirms reports whether the first group of a trial of option w shows no more than what is known: it is no
// quicker than before, and was much dearer than the best.
func (c *Choice) confirms(w int, mean float64) bool {
	return c.trial.runs == 1 && w != int(c.best) && c.cost[w] > dear*c.cost[c.best] && mean >= c.cost[w]
}

// note reports whether the trial is over.
func (t *trial) note(mean float64) bool {
	t.runs++
	t.quiet++
	if t.runs == 1 || mean < t.least*(1-gain) {
		t.least, t.mean, t.quiet = mean, mean, 0
	}
	t.mean += (min(mean, t.least*(1+2*gain)) - t.mean) / 2
	return t.quiet == quietGroups || t.runs == mostGroups
}

// Saves is how much less the cheapest of the options whose bit is set costs than option w, as far as is
// known: one that has not been tried may cost nothing.
func (c *Choice) Saves(options uint8, w int) float64 {
	least := c.cost[w]
	for o := range MostOptions {
		if options>>o&1 != 0 {
			least = min(least, c.cost[o])
		}
	}
	return c.cost[w] - least
}

// Cheapest is the cheapest of the options whose bit is set, first as long as none of them is known. It counts
// for nothing.
func (c *Choice) Cheapest(options uint8, first int) int {
	if best, _ := c.compare(options); best >= 0 {
		return best
	}
	return first
}

// sampled is one in how many operations outside of trials need be measured.
const sampled = 8

// Measures reports whether the operation for which Pick has just chosen an option ought to be measured: one
// of a trial, or one of some others. It is for operations that take little longer than to look at a clock.
func (c *Choice) Measures() bool {
	return c.trial.on && c.last[c.trial.option] == c.uses || c.uses%sampled == 0
}

// Settled reports whether option w is the cheapest of those whose bit is set, all of which are known, and
// none is being tried.
func (c *Choice) Settled(w int, options uint8) bool {
	best, unknown := c.compare(options)
	return best == w && unknown < 0 && int(c.best) == w && !c.trial.on
}

// Surely reports whether an option is the cheapest of those that options says, and the others have been tried
// often enough to rely on that for a while.
func (c *Choice) Surely(w int, options uint8) bool {
	for o := range MostOptions {
		if options>>o&1 != 0 &&
			(c.cost[o] == 0 || c.tries[o] < sureTries && o != w || c.cost[o] < c.cost[w]) {
			return false
		}
	}
	return !c.trial.on
}

// Skip says that so many operations take the cheapest option without a call of Pick.
func (c *Choice) Skip(n uint32) { c.uses += n }

// Known reports whether the cost of any option is known.
func (c *Choice) Known() bool { return c.cost != [MostOptions]float64{} }

// Resemble takes over what another choice knows, for operations that are much like its own.
func (c *Choice) Resemble(o *Choice) {
	c.cost, c.best = o.cost, o.best
	for w := range c.last {
		c.last[w], c.tries[w] = c.uses, 1
	}
}

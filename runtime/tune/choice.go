// Package tune chooses between ways that do the same by what each has taken on live traffic of this process.
// It knows costs and numbers of ways, not what they do.
package tune

// MostWays is the largest number of ways of a Choice.
const MostWays = 4

// Choice is a choice between some ways, for operations of one kind and about one size. The first way is
// taken for a while, then each other is tried; then the cheapest is taken, and the others are tried again
// now and then, the less often the more that costs. So a change of the surroundings is noticed, be it that
// of the best way, whose cost is known at every use, or that of another. The zero value has tried nothing
// yet. It is used by one thread at a time.
type Choice struct {
	cost  [MostWays]float64 // of an operation by each way, in the caller's unit; 0 when unknown
	last  [MostWays]uint32  // the use in which each was taken last
	tries [MostWays]uint8   // how often each has been tried
	uses  uint32
	best  int8
	trial trial
}

// trial is some operations in a row by one way, to find out what they take. The first ones take longer,
// because caches and page tables hold what other ways have used. It goes on until they do not get quicker any
// more.
type trial struct {
	on    bool
	way   int8
	begun uint32  // operations
	runs  uint32  // those of them that have ended
	quiet uint32  // operations since one was quicker than all before
	least float64 // what the quickest has taken
	mean  float64 // what the last ones have taken
}

const (
	// A trial ends when so many operations were no quicker than the quickest, or after so many in all.
	quietRuns = 8
	mostRuns  = 64

	// mostOpen is how many operations of a trial may be under way at once: many may begin before the first
	// ends.
	mostOpen = 4

	// firstUses is how often the first way is taken before others are tried.
	firstUses = 32

	// Trials take at most this part of the time in the long run; mostGap is between how many uses a way is
	// tried again at most. What the first operations of a process take is not typical, so the second trial
	// comes after firstGap uses, and each later one after four times as many as the one before, until those
	// that the long run allows are reached.
	exploring = 1.0 / 200
	leastGap  = 1 << 10
	mostGap   = 1 << 16
	firstGap  = 64

	// gain is how much cheaper another way must be to become the best, and an operation to be the quickest
	// of a trial.
	gain = 1.0 / 16

	// step bounds how far one measurement moves a cost: a thread that has lost its processor measures
	// anything.
	step = 1.0 / 8
)

// Pick is the way to go next, of those whose bit is set in ways, which is not 0. first is the one to begin
// with where nothing is known; it is one of them.
func (c *Choice) Pick(ways uint8, first int) int {
	c.uses++
	if c.trial.on && ways>>c.trial.way&1 != 0 && c.trial.begun-c.trial.runs < mostOpen {
		return c.take(int(c.trial.way))
	}
	if c.trial.on && c.uses-c.last[c.trial.way] > leastGap {
		c.trial.on = false // that way has not been possible for long
	}
	best, unknown := -1, -1
	for w := range MostWays {
		switch {
		case ways>>w&1 == 0:
		case c.cost[w] == 0:
			unknown = w
		case best < 0 || c.cost[w] < c.cost[best]:
			best = w
		}
	}
	switch {
	case best < 0 && c.trial.on:
		return c.take(first)
	case best < 0:
		return c.try(first)
	case unknown >= 0 && c.uses > firstUses && !c.trial.on:
		return c.try(unknown)
	}
	if b := int(c.best); ways>>b&1 != 0 && c.cost[best] > c.cost[b]*(1-gain) {
		best = b
	}
	c.best = int8(best)
	for w := range MostWays {
		if !c.trial.on && ways>>w&1 != 0 && w != best && c.cost[w] != 0 && c.uses-c.last[w] >= c.gap(w) {
			return c.try(w)
		}
	}
	return c.take(best)
}

func (c *Choice) take(w int) int {
	c.last[w] = c.uses
	if c.trial.on && w == int(c.trial.way) {
		c.trial.begun++
	}
	return w
}

// try begins a trial.
func (c *Choice) try(w int) int {
	c.trial = trial{on: true, way: int8(w)}
	return c.take(w)
}

// gap is after how many uses way w is tried again.
func (c *Choice) gap(w int) uint32 {
	sooner := float64(uint32(firstGap) << (2*min(c.tries[w], 8) - 2))
	more := 2 * quietRuns * (c.cost[w]/c.cost[c.best] - 1)
	return uint32(min(max(more/exploring, leastGap), mostGap, sooner))
}

// Note says what an operation has taken by a way.
func (c *Choice) Note(w int, cost float64) {
	old := c.cost[w]
	switch {
	case cost <= 0:
	case c.trial.on && w == int(c.trial.way):
		if c.trial.note(cost) {
			c.tries[w] = min(c.tries[w]+1, 99)
			c.cost[w], c.trial.on = c.trial.mean, false
		}
	case old != 0:
		c.cost[w] = old + min(max(cost-old, -old*step), old*step)
	}
}

// note reports whether the trial is over.
func (t *trial) note(cost float64) bool {
	t.runs++
	t.quiet++
	if t.runs == 1 || cost < t.least*(1-gain) {
		t.least, t.mean, t.quiet = cost, cost, 0
	}
	t.mean += (min(cost, 2*t.least) - t.mean) / 4
	return t.quiet == quietRuns || t.runs == mostRuns
}

// Known reports whether the cost of any way is known.
func (c *Choice) Known() bool { return c.cost != [MostWays]float64{} }

// Resemble takes over what another choice knows, for operations that are much like its own.
func (c *Choice) Resemble(o *Choice) {
	c.cost, c.best = o.cost, o.best
	for w := range c.last {
		c.last[w], c.tries[w] = c.uses, 1
	}
}

package tune

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// world is what operations take, by option, in the order in which they begin.
type world func(use, option int) float64

// run does n operations, of which open are under way at once, and returns how often each option was taken and
// what all have taken.
func run(c *Choice, n, open int, options uint8, w world) (taken [MostOptions]int, all float64) {
	var under []int
	end := func(i int) {
		cost := w(i, under[0])
		all += cost
		c.Note(under[0], cost)
		under = under[1:]
	}
	for i := range n {
		option := c.Pick(options, 1)
		taken[option]++
		if under = append(under, option); len(under) == open {
			end(i)
		}
	}
	for len(under) > 0 {
		end(n)
	}
	return taken, all
}

// noisy is costs that vary by a tenth, with one of 50 operations taking 20 times as long.
func noisy(cost ...float64) world {
	r := rand.New(rand.NewPCG(1, 2))
	return func(_, option int) float64 {
		c := cost[option] * (0.95 + r.Float64()/10)
		if r.IntN(50) == 0 {
			c *= 20
		}
		return c
	}
}

// Whichever option is the cheapest is taken, and what the trials of the others cost stays small, however many
// operations are under way at once.
func TestFindsTheCheapest(t *testing.T) {
	for _, costs := range [][]float64{{1, 3, 2}, {3, 1, 2}, {2, 3, 1}, {1, 1.2, 50}, {10, 10, 1}} {
		for _, open := range []int{1, 3, 64} {
			t.Run(fmt.Sprint(costs, open), func(t *testing.T) {
				const n = 100_000
				var c Choice
				exact := func(_, option int) float64 { return costs[option] }
				taken, all := run(&c, n, open, 7, exact)
				if least := min(costs[0], costs[1], costs[2]); all > 1.06*n*least {
					t.Errorf("taken %v: %.4f times the least", taken, all/(n*least))
				}
			})
		}
	}
}

// A thread that loses its processor now and then does not mislead the choice.
func TestNoise(t *testing.T) {
	var c Choice
	taken, _ := run(&c, 100_000, 1, 7, noisy(1.3, 1.6, 1))
	if taken[2] < 90_000 {
		t.Errorf("the cheapest option, the third, was taken %v times", taken)
	}
}

// Everything takes longer for a while, again and again, as where another machine shares the processor. What
// the best option takes then is not compared for long with what another took at a better time.
func TestBursts(t *testing.T) {
	for _, burst := range []int{20, 60, 200} {
		var c Choice
		r := rand.New(rand.NewPCG(5, 6))
		left := 0
		taken, _ := run(&c, 100_000, 1, 7, func(_, option int) float64 {
			cost := []float64{5, 1, 1.4}[option]
			if left--; left > 0 {
				return cost * (1.5 + 2*r.Float64())
			}
			if r.IntN(10*burst) == 0 {
				left = burst
			}
			return cost
		})
		if taken[1] < 94_000 {
			t.Errorf("bursts of %d: the cheapest option, the second, was taken %v times", burst, taken)
		}
	}
}

// What seems cheaper than the best option is tried again also where a trial of a third option takes long.
func TestTriedAgain(t *testing.T) {
	c := Choice{cost: [MostOptions]float64{1.5, 1, 3}, tries: [MostOptions]uint8{2, 2, 2}, slow: patience,
		uses: leastGap, last: [MostOptions]uint32{leastGap, leastGap, leastGap}}
	c.try(2)
	c.trial.begun = mostBlind // and none has ended
	for range 5 {
		if option := c.Pick(7, 0); option != 0 {
			t.Fatalf("option %d while another is tried, want the best one", option)
		}
	}
	for c.trial.on {
		c.Note(2, 3)
	}
	if option := c.Pick(7, 0); option != 1 || !c.trial.on || c.best != 0 {
		t.Errorf("option %d (a trial: %v, best %d), want a trial of option 1", option, c.trial.on, c.best)
	}
}

// The first operations of a process take longer with any option.
func TestStart(t *testing.T) {
	var c Choice
	var seen [3]int
	taken, _ := run(&c, 20_000, 1, 7, func(_, option int) float64 {
		seen[option]++
		return []float64{2, 1, 3}[option] + 100/float64(seen[option])
	})
	if taken[1] < 15_000 {
		t.Errorf("the cheapest option, the second, was taken %v times", taken)
	}
}

// A change of what the options take is noticed, whether it is the best that gets slower or another that gets
// quicker.
func TestChange(t *testing.T) {
	for name, after := range map[string][]float64{"slower": {1, 4, 5}, "quicker": {0.1, 1, 5}} {
		t.Run(name, func(t *testing.T) {
			var c Choice
			before, _ := run(&c, 50_000, 1, 7, func(_, o int) float64 { return []float64{2, 1, 5}[o] })
			if before[1] < 45_000 {
				t.Fatalf("at first taken %v", before)
			}
			taken, _ := run(&c, 100_000, 1, 7, func(_, option int) float64 { return after[option] })
			if taken[0] < 80_000 {
				t.Errorf("the first option has become the cheapest, taken %v", taken)
			}
		})
	}
}

// Options that are not possible are not taken, also in the middle of a trial, and what is possible seldom is
// tried all the same.
func TestPossible(t *testing.T) {
	var c Choice
	r := rand.New(rand.NewPCG(3, 4))
	var taken [3]int
	for range 50_000 {
		options := uint8(3)
		if r.IntN(20) == 0 {
			options = 7
		}
		option := c.Pick(options, 0)
		if options>>option&1 == 0 {
			t.Fatalf("option %d of %03b", option, options)
		}
		taken[option]++
		c.Note(option, []float64{2, 3, 1}[option])
	}
	if taken[2] < 2000 || taken[0] < 40_000 {
		t.Errorf("taken %v: want the third wherever it is possible, and the first otherwise", taken)
	}
}

// What resembles another choice begins with its best option.
func TestResemble(t *testing.T) {
	var a, b Choice
	run(&a, 10_000, 1, 7, func(_, option int) float64 { return []float64{3, 2, 1}[option] })
	if b.Known() {
		t.Fatal("a new choice knows something")
	}
	b.Resemble(&a)
	if !b.Known() || b.best != 2 || b.Pick(7, 0) != 2 || b.cost[0] != a.cost[0] {
		t.Errorf("it begins with option %d, want 2", b.best)
	}
}

// trials is how long each trial of an option was, in operations.
func trials(c *Choice, n, option int, w world) (all []int) {
	for i, last := 0, -1; i < n; i++ {
		o := c.Pick(3, 1)
		if o == option && last != o {
			all = append(all, 0)
		}
		if o == option {
			all[len(all)-1]++
		}
		last = o
		c.Note(o, w(i, o))
	}
	return all
}

// An option that is known to be dear, and is no cheaper when it is tried again, is left after one group. One
// that has become cheaper is tried for longer.
func TestDearOptionIsTriedBriefly(t *testing.T) {
	var c Choice
	all := trials(&c, 2000, 0, func(int, int) float64 { return 1 })
	if len(all) == 0 {
		t.Fatal("an option that is as cheap is never tried")
	}
	c = Choice{}
	dear := func(_, o int) float64 { return []float64{2, 1}[o] }
	if all = trials(&c, 2000, 0, dear); len(all) < 3 || all[0] <= groupRuns {
		t.Fatalf("trials %v of an option that is not known", all)
	}
	for _, n := range all[1:] {
		if n != groupRuns {
			t.Errorf("trials %v of an option that is known to be dear", all)
			break
		}
	}
	cheaper := func(_, o int) float64 { return []float64{1.5, 1}[o] }
	if again := trials(&c, 2*leastGap, 0, cheaper); len(again) == 0 || again[0] <= groupRuns {
		t.Errorf("trials %v of an option that has become cheaper", again)
	}
}

// What is passed leaves a trial as it was: an option of which nothing counts stays the one to take.
func TestPassed(t *testing.T) {
	var c Choice
	for i := range 100 {
		if o := c.Pick(3, 1); o != 1 {
			t.Fatalf("option %d is taken after %d operations of which none counts", o, i)
		}
		c.Pass(1)
	}
	if c.Known() {
		t.Error("a cost is known")
	}
}

// What an option saves is known as soon as that is which is taken without it.
func TestSaves(t *testing.T) {
	var c Choice
	if s := c.Saves(3, 1); s != 0 {
		t.Errorf("%v is saved by options that are not known", s)
	}
	c.cost = [MostOptions]float64{0, 5, 3, 9}
	for _, x := range []struct {
		options uint8
		saves   float64
	}{{1<<1 | 1<<2, 2}, {1<<1 | 1<<3, 0}, {1 << 2, 2}, {0, 0}, {1 << 0, 5}} {
		if s := c.Saves(x.options, 1); s != x.saves {
			t.Errorf("options %04b save %v, want %v", x.options, s, x.saves)
		}
	}
}

// A choice is settled once all options have been tried, for the one that has become the best.
func TestSettled(t *testing.T) {
	var c Choice
	for i := 0; !c.Settled(1, 7); i++ {
		o := c.Pick(7, 0)
		if c.Settled(o, 7) && o != 1 || i > 500 {
			t.Fatalf("settled on option %d after %d uses", o, i)
		}
		c.Note(o, []float64{3, 1, 2}[o])
	}
	if c.Settled(0, 7) || c.Settled(1, 15) {
		t.Error("settled on an option that is not the best, or with one that has not been tried")
	}
	if c.try(2); c.Settled(1, 7) {
		t.Error("settled while an option is tried")
	}
}

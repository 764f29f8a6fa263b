// Package launch runs a job: it starts the ranks of one or more programs, serves them PMI 1.1 over inherited
// sockets, hands over the memory that they share, relays their output in whole lines, forwards signals, and
// ends everything when one of them fails.
//
// On other hosts a proxy does so, which is the same program, and leaves all decisions to the launcher.
//
// It knows processes, descriptors and the PMI words. It must not know MPI beyond the names of those words,
// and it is never linked into the library. Packages below it have what can do without the job: loop waits for
// descriptors, output relays lines, process starts programs and looks at processes, host has the connections
// to other hosts, world has the ranks, ask finds out what they wait for and hang why they do not go on.
//
// One goroutine on one thread does all the work, around epoll: the kernel ties the promise to kill a rank
// when its launcher dies (PR_SET_PDEATHSIG) to the thread that forked it, and a loop without locks starts
// faster than goroutines do. The only other goroutine waits for signals.
package launch

// Command rank is a rank for the tests of the launcher and of the start-up: it joins its job as the library
// does, and then does what its arguments say, one after the other. It needs no MPI library.
package main

import (
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"gompi/runtime/boot"
	"gompi/shm"
)

// eaten is memory that is never given back.
var eaten []byte

func main() {
	var job *boot.Job
	for _, step := range os.Args[1:] {
		name, value, _ := strings.Cut(step, "=")
		// "2:kill=9" is for rank 2 only; the rank is known once it has joined, or from the environment.
		if who, rest, found := strings.Cut(name, ":"); found {
			if who != os.Getenv("PMI_RANK") {
				continue
			}
			name = rest
		}
		var err error
		if name == "join" {
			job, err = boot.Join(boot.Config{})
		} else {
			err = withJob(job, name, value)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "rank: %s: %v\n", step, err)
			os.Exit(99)
		}
	}
}

// withJob takes a step that is for the job.
func withJob(job *boot.Job, name, value string) (err error) {
	number, _ := strconv.Atoi(value)
	switch name {
	case "watch":
		job.Watch(func() { syscall.Kill(os.Getpid(), syscall.SIGKILL) }, nil)
	case "barrier":
		err = job.Barrier()
	case "fence":
		err = job.Fence()
	case "finalize":
		err = job.Finalize()
	case "facts":
		fmt.Printf("rank %d of %d, node rank %d of %d, appnum %d, universe %d, singleton %v\n", job.Rank, job.Size,
			job.NodeRank, job.NodeSize, job.AppNum, job.UniverseSize, job.Singleton)
	case "put":
		err = job.Put("key-"+strconv.Itoa(job.Rank), value+strconv.Itoa(job.Rank))
	case "get":
		var got string
		if got, err = job.Get("key-" + value); err == nil {
			fmt.Println(got)
		}
	case "abort":
		job.Abort(number, "told so by the test")
		os.Exit(number)
	case "fail":
		fmt.Fprintln(os.Stderr, "an error of the rank")
		job.Fail(number)
		os.Exit(number)
	case "spawn": // "2 rank join finalize; 1 sh -c exit" or with hints: "wdir=/tmp 2 rank print"
		err = spawn(job, value)
	case "port":
		fmt.Println(job.ParentPort)
	case "own-launcher": // of a rank that was started without one
		var began bool
		if began, err = job.StartLauncher(strings.Split(value, ",")); began {
			job.Watch(func() { fmt.Println("launcher lost") }, nil)
		}
	case "linked", "parted": // with the job of that identity
		var id shm.JobID
		if _, err = hex.Decode(id[:], []byte(value)); err == nil {
			err = job.Linked(id, name == "linked")
		}
	case "await-death":
		for shm.Epoch(job.Segment) == 0 {
			time.Sleep(time.Millisecond)
		}
	default:
		return alone(name, value)
	}
	return err
}

// alone takes a step that is for this process.
func alone(name, value string) (err error) {
	number, _ := strconv.Atoi(value)
	switch name {
	case "kill":
		syscall.Kill(os.Getpid(), syscall.Signal(number))
		time.Sleep(10 * time.Second)
	case "exit":
		os.Exit(number)
	case "run": // a command, as a program calls it by system()
		cmd := exec.Command("sh", "-c", value)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		err = cmd.Run()
	case "where":
		dir, _ := os.Getwd()
		fmt.Println(dir)
	case "env":
		fmt.Println(os.Getenv(value))
	case "children":
		list, _ := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/children", os.Getpid()))
		fmt.Println("children:", len(strings.Fields(string(list))))
	case "siblings": // those that have ended and are not reaped count as well
		list, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", os.Getppid()))
		fmt.Println("siblings:", len(strings.Fields(string(list))))
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
	case "eat": // that many MiB; when there is no more, this process goes and no other one
		os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
		eaten = make([]byte, number<<20)
		for i := 0; i < len(eaten); i += 4096 {
			eaten[i] = 1
		}
	case "say": // to the launcher, as it is
		_, err = syscall.Write(3, []byte(strings.ReplaceAll(value, "␤", "\n")))
	case "launcher":
		fds, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", os.Getppid()))
		maps, _ := os.ReadFile(fmt.Sprintf("/proc/%d/maps", os.Getppid()))
		fmt.Printf("launcher has %d descriptors and %d mappings\n", len(fds),
			strings.Count(string(maps), "/memfd:gompi"))
	case "descriptors":
		fmt.Println(descriptors())
	case "sleep": // milliseconds
		time.Sleep(time.Duration(number) * time.Millisecond)
	case "print":
		fmt.Println(value)
	default:
		if !strings.HasPrefix(name, "mark-") { // a word to find the process by
			err = fmt.Errorf("no step of that name")
		}
	}
	return err
}

// descriptors lists what the open descriptors of this process stand for, but for the one that lists them.
func descriptors() string {
	entries, _ := os.ReadDir("/proc/self/fd")
	var open []string
	for _, e := range entries {
		if to, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && !strings.HasPrefix(to, "/proc/") {
			open = append(open, to)
		}
	}
	return strings.Join(open, " ")
}

// spawn starts programs and prints how many of each, or why none. JOB stands for the identity of our own job,
// two more signs for a blank and the end of a line within an argument.
func spawn(job *boot.Job, what string) error {
	id := job.Segment.ID()
	what = strings.ReplaceAll(what, "JOB", hex.EncodeToString(id[:]))
	var programs []boot.Program
	for _, text := range strings.Split(what, ";") {
		var p boot.Program
		words := strings.Fields(text)
		for ; strings.Contains(words[0], "="); words = words[1:] {
			key, value, _ := strings.Cut(words[0], "=")
			p.Hints = append(p.Hints, boot.Hint{Key: key, Value: value})
		}
		n, err := strconv.Atoi(words[0])
		if err != nil {
			return err
		}
		p.Ranks, p.Name = n, words[1]
		for _, w := range words[2:] {
			p.Args = append(p.Args, strings.NewReplacer("␣", " ", "␤", "\n").Replace(w))
		}
		programs = append(programs, p)
	}
	started, err := job.Spawn(programs, "port-of-"+strconv.Itoa(job.Rank))
	if err != nil {
		fmt.Println("refused:", err)
	} else {
		fmt.Println("started:", started)
	}
	return nil
}

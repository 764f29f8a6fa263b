package launch

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"gompi/launch/ask"
	"gompi/launch/host"
	"gompi/launch/loop"
	"gompi/launch/output"
	"gompi/launch/process"
	"gompi/launch/world"
	"gompi/shm"
	"gompi/wire/pmi"

	"golang.org/x/sys/unix"
)

// testJob is a job without processes: its ranks are sockets in the test's hands, its output goes to a pipe.
type testJob struct {
	*job
	t     *testing.T
	peers []net.Conn
	reads []*bufio.Reader
}

func newTestJob(t testing.TB, n int) (*job, []int) {
	t.Helper()
	l, err := loop.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(l.Fd) })
	j := &job{Table: &world.Table{}, spec: &Spec{Name: "mpiexec"}, loop: l, scratch: make([]byte, 64<<10)}
	null, err := os.OpenFile("/dev/null", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { null.Close() })
	j.out = output.Open(j.loop, j.scratch, int(null.Fd()), int(null.Fd()))
	j.server, j.spawns = server{job: j, names: names{}}, spawner{job: j}
	j.user = world.NewServer(l, j.scratch, j.server.answer, j.protocolError)
	j.hosts = host.NewHosts(j.loop, j.scratch, host.Remote{}, j)
	j.ask = ask.New(j.Table, j.hosts, j.out, false)
	w := world.New(0, []process.App{{Argv: []string{"a"}, Ranks: n}, {Argv: []string{"b"}}}, 2*n)
	j.Worlds = []*world.World{w}
	here := &world.Node{Size: n}
	var ends []int
	for i := range n {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		r := &world.Rank{Number: i, App: i % 2, World: w, Node: here, NodeRank: i, Pidfd: -1, Innerfd: -1}
		r.Conn = world.NewConn(j.user, r, pair[0])
		t.Cleanup(func() {
			r.Conn.Close()
			if r.Innerfd >= 0 {
				unix.Close(r.Innerfd)
			}
		})
		if err := l.Watch(pair[0], unix.EPOLLIN, r.Conn); err != nil {
			t.Fatal(err)
		}
		w.Ranks = append(w.Ranks, r)
		j.Ranks = append(j.Ranks, r)
		ends = append(ends, pair[1])
	}
	return j, ends
}

func startTestJob(t *testing.T, n int) *testJob {
	j, ends := newTestJob(t, n)
	tj := &testJob{job: j, t: t}
	for _, fd := range ends {
		f := os.NewFile(uintptr(fd), "rank")
		c, err := net.FileConn(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		c.SetDeadline(time.Now().Add(2 * time.Minute))
		t.Cleanup(func() { c.Close() })
		tj.peers = append(tj.peers, c)
		tj.reads = append(tj.reads, bufio.NewReader(c))
	}
	return tj
}

// ask sends text as a rank, lets the server work, and returns the line that comes back.
func (tj *testJob) ask(rank int, text string) string {
	tj.t.Helper()
	tj.tell(rank, text)
	return tj.hear(rank)
}

func (tj *testJob) tell(rank int, text string) {
	tj.t.Helper()
	if _, err := tj.peers[rank].Write([]byte(text)); err != nil {
		tj.t.Fatal(err)
	}
	if err := tj.turn(time.Now().Add(2 * time.Minute)); err != nil {
		tj.t.Fatal(err)
	}
	tj.spawns.serveSpawns()
}

func (tj *testJob) hear(rank int) string {
	tj.t.Helper()
	line, err := tj.reads[rank].ReadString('\n')
	if err != nil {
		tj.t.Fatalf("rank %d got no answer: %v", rank, err)
	}
	return strings.TrimSuffix(line, "\n")
}

func TestServerAnswers(t *testing.T) {
	tj := startTestJob(t, 4)
	for _, c := range []struct {
		rank      int
		say, want string
	}{
		{0, "cmd=init pmi_version=1 pmi_subversion=1\n", "cmd=response_to_init rc=0 pmi_version=1 pmi_subversion=1"},
		{1, "cmd=init pmi_version=2 pmi_subversion=0\n", "cmd=response_to_init rc=-1 "},
		{0, "cmd=get_maxes\n", "cmd=maxes rc=0 kvsname_max=256 keylen_max=64 vallen_max=1024"},
		{3, "cmd=get_appnum\n", "cmd=appnum rc=0 appnum=1"},
		{0, "cmd=get_universe_size\n", "cmd=universe_size rc=0 size=8"},
		{0, "cmd=get_my_kvsname\n", "cmd=my_kvsname rc=0 kvsname=kvs_0"},
		{0, "cmd=get kvsname=kvs_0 key=PMI_process_mapping\n", "cmd=get_result rc=0 msg=success value=(vector,(0,1,4))"},
		{0, "cmd=get kvsname=kvs_0 key=none\n", "cmd=get_result rc=-1 msg=key_not_found"},
		{0, "cmd=get kvsname=other key=none\n", "cmd=get_result rc=-1 "},
		{2, "cmd=put kvsname=kvs_0 key=k value=a=b#c$\n", "cmd=put_result rc=0 msg=success"},
		{1, "cmd=get kvsname=kvs_0 key=k\n", "cmd=get_result rc=0 msg=success value=a=b#c$"},
		{1, "cmd=put kvsname=kvs_0 value=x\n", "cmd=put_result rc=-1 "},
		{1, "cmd=put kvsname=kvs_0 key=" + strings.Repeat("k", 65) + " value=x\n", "cmd=put_result rc=-1 "},
		{1, "cmd=put kvsname=nope key=k value=x\n", "cmd=put_result rc=-1 "},
		{0, "cmd=lookup_name service=s\n", "cmd=lookup_result info=error rc=-1 "},
		{0, "cmd=publish_name service=s port=p\n", "cmd=publish_result info=ok rc=0 "},
		{1, "cmd=publish_name service=s port=q\n", "cmd=publish_result info=error rc=-1 "},
		{1, "cmd=lookup_name service=s\n", "cmd=lookup_result info=ok rc=0 msg=success port=p"},
		{1, "cmd=unpublish_name service=s\n", "cmd=unpublish_result info=ok rc=0 "},
		{1, "cmd=unpublish_name service=s\n", "cmd=unpublish_result info=error rc=-1 "},
		{1, "cmd=from_the_future a=b\n", "cmd=from_the_future rc=-1 msg=unknown_command"},
		{1, "mcmd=spawn\nnprocs=2\nexecname=./child\ntotspawns=1\nspawnssofar=1\nargcnt=1\narg1=with blanks\npreput_num=1\n" +
			"preput_key_0=PARENT_ROOT_PORT_NAME\npreput_val_0=tag#0$\ninfo_num=0\nendcmd\n", "cmd=spawn_result rc=-1 "},
		{0, "cmd=finalize\n", "cmd=finalize_ack rc=0"},
	} {
		if got := tj.ask(c.rank, c.say); !strings.HasPrefix(got, c.want) {
			t.Errorf("%q answered by %q, want %q", c.say, got, c.want)
		}
	}
	if r := tj.Ranks[0]; !r.Begun || !r.Finalized || r.InMPI() {
		t.Errorf("rank 0 after init and finalize: %+v", r)
	}
	if tj.Ranks[1].Begun {
		t.Error("a refused init counts as begun")
	}
}

func TestServerBarrierAndPieces(t *testing.T) {
	tj := startTestJob(t, 3)
	for round := range 3 {
		for r := range 3 {
			tj.tell(r, "cmd=barr")
			tj.tell(r, "ier_in\n")
		}
		for r := range 3 {
			if got := tj.hear(r); got != "cmd=barrier_out rc=0" {
				t.Fatalf("round %d: rank %d hears %q", round, r, got)
			}
		}
	}
	// Several lines in one write, as gompi's own library sends them.
	tj.tell(0, "cmd=init pmi_version=1 pmi_subversion=1\ncmd=get_appnum\ncmd=finalize\n")
	for _, want := range []string{"response_to_init", "appnum", "finalize_ack"} {
		if got := tj.hear(0); !strings.HasPrefix(got, "cmd="+want+" ") {
			t.Errorf("heard %q, want %s", got, want)
		}
	}
}

func TestServerManySmallRequests(t *testing.T) {
	tj := startTestJob(t, 2)
	for i := range 2000 {
		key := fmt.Sprintf("key%d", i)
		if got := tj.ask(i%2, "cmd=put kvsname=kvs_0 key="+key+" value="+key+"\n"); got != "cmd=put_result rc=0 msg=success" {
			t.Fatal(got)
		}
	}
	for i := range 2000 {
		key := fmt.Sprintf("key%d", i)
		if got := tj.ask(i%2, "cmd=get kvsname=kvs_0 key="+key+"\n"); !strings.HasSuffix(got, " value="+key) {
			t.Fatal(got)
		}
	}
}

// A client that sends without reading must not stop the server.
func TestServerSlowReader(t *testing.T) {
	tj := startTestJob(t, 1)
	const n = 20000
	go func() {
		for range n {
			if _, err := tj.peers[0].Write([]byte("cmd=get_maxes\n")); err != nil {
				return
			}
		}
	}()
	got := make(chan int)
	go func() {
		time.Sleep(50 * time.Millisecond)
		count := 0
		for count < n {
			if _, err := tj.reads[0].ReadString('\n'); err != nil {
				break
			}
			count++
		}
		got <- count
	}()
	for {
		if err := tj.loop.Wait(time.Now().Add(10 * time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		select {
		case count := <-got:
			if count != n {
				t.Errorf("%d answers to %d requests", count, n)
			}
			return
		default:
		}
	}
}

func TestServerEndsTheJobOnGarbage(t *testing.T) {
	for _, text := range []string{"hello\n", "mcmd=other\n", "\n", strings.Repeat("x", 20000)} {
		tj := startTestJob(t, 2)
		go tj.peers[0].Write([]byte(text))
		for until := time.Now().Add(2 * time.Minute); !tj.end.begun && time.Now().Before(until); {
			tj.loop.Wait(time.Now().Add(100 * time.Millisecond))
		}
		if !tj.end.begun || tj.end.code != 1 {
			t.Errorf("%.20q: the job goes on", text)
		}
	}
}

// A rank dies right after its world has parted from another one, which has told so in words that nobody has
// read yet.
func TestServerHearsOfPartingFirst(t *testing.T) {
	tj := startTestJob(t, 3)
	first := tj.Worlds[0]
	spawned := world.New(1, []process.App{{Argv: []string{"c"}, Ranks: 1}}, 3)
	segment, err := shm.CreateJob(1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { segment.Close() })
	child := tj.Ranks[2]
	child.World, child.Number, child.Node = spawned, 0, &world.Node{Segment: segment, Size: 1}
	first.Ranks = first.Ranks[:2]
	spawned.Ranks, spawned.Nodes = []*world.Rank{child}, []*world.Node{child.Node}
	tj.Worlds = append(tj.Worlds, spawned)
	id := segment.ID()
	for parent := range 2 {
		tj.tell(parent, fmt.Sprintf("cmd=gompi_linked job=%x\n", id[:]))
	}
	if got := len(tj.Connected(spawned)); got != 2 {
		t.Fatalf("%d worlds are connected, want 2", got)
	}
	for parent := range 2 {
		if _, err := fmt.Fprintf(tj.peers[parent], "cmd=gompi_parted job=%x\n", id[:]); err != nil {
			t.Fatal(err)
		}
	}
	tj.fail(spawned, 9)
	if !spawned.Failing || first.Failing {
		t.Errorf("the world of the dead rank is ended: %v, the one that has parted from it: %v", spawned.Failing, first.Failing)
	}
	if tj.end.code != 9 {
		t.Errorf("exit code %d, want 9", tj.end.code)
	}
}

// FuzzServer has three ranks say anything in any order and in pieces of any size, while they come and go.
// Whatever they say: a barrier ends when all have come and not before, nobody is answered more often than
// it asks, and what the server keeps is what it was told.
func FuzzServer(f *testing.F) {
	f.Add([]byte("\x00cmd=init pmi_version=1 pmi_subversion=1\n\xff\x01cmd=barrier_in\n\xff\x02cmd=barrier_in\n\xff\x00cmd=barrier_in\ncmd=finalize\n"))
	f.Add([]byte("\x00mcmd=spawn\nnprocs=99999999999\nexecname=x\ntotspawns=1\nspawnssofar=1\nendcmd\n"))
	f.Add([]byte("\x00mcmd=spawn\nnprocs=2\nexecname=x\ntotspawns=9\nspawnssofar=1\nendcmd\nmcmd=spawn\n\xff\x01mcmd=spawn\nencoding=percent\nnprocs=%32\n"))
	f.Add([]byte("\x01cmd=put kvsname=kvs_0 key=a value=b\n\xff\x02cmd=get kvsname=kvs_0 key=a\n"))
	f.Add([]byte("\x00cmd=publish_name service=s port=p\n\xff\x01cmd=lookup_name service=s\ncmd=unpublish_name service=\n"))
	f.Add([]byte("\x00cmd=gompi_linked job=00\n\xff\x03\xff\x01cmd=abort exitcode=5 message=x\n"))
	f.Fuzz(func(t *testing.T, script []byte) {
		const n = 3
		j, ends := newTestJob(t, n)
		defer func() {
			for _, fd := range ends {
				if fd >= 0 {
					unix.Close(fd)
				}
			}
		}()
		var asked, answered, barriers, entered [n]int
		hear := func(rank int) {
			var b [1 << 16]byte
			for ends[rank] >= 0 {
				k, _, err := unix.Recvfrom(ends[rank], b[:], unix.MSG_DONTWAIT)
				if err != nil || k <= 0 {
					return
				}
				answered[rank] += bytes.Count(b[:k], []byte("\n"))
				barriers[rank] += bytes.Count(b[:k], []byte("cmd=barrier_out"))
			}
		}
		for _, turn := range bytes.Split(script, []byte{0xff}) {
			if len(turn) == 0 {
				continue
			}
			rank, text := int(turn[0])%(2*n), turn[1:]
			if rank >= n { // it goes
				if rank -= n; ends[rank] >= 0 {
					unix.Close(ends[rank])
					ends[rank] = -1
				}
				continue
			}
			if ends[rank] < 0 || len(text) > 100_000 {
				continue
			}
			asked[rank] += bytes.Count(text, []byte("\n"))
			entered[rank] += bytes.Count(text, []byte("barrier_in"))
			if _, err := unix.SendmsgN(ends[rank], text, nil, nil,
				unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL); err != nil {
				return
			}
			if err := j.loop.Wait(time.Now()); err != nil {
				t.Fatal(err)
			}
			for len(j.spawns.asked) > 0 {
				// All that can be found out ahead of the start of processes.
				next := j.spawns.asked[0]
				j.spawns.asked = j.spawns.asked[1:]
				apps, _, err := j.spawns.wanted(next.from, next.blocks)
				if total := 0; err == nil {
					for i := range apps {
						total += apps[i].Ranks
					}
					if total < 1 || total > shm.MaxNodeSize {
						t.Fatalf("%d processes are to be started", total)
					}
				}
				refuse(next.from, "no")
			}
			for r := range n {
				hear(r)
			}
		}
		all := entered[0] + entered[1] + entered[2]
		for r := range n {
			if answered[r]-barriers[r] > asked[r] {
				t.Fatalf("rank %d has asked %d times and was answered %d times", r, asked[r], answered[r]-barriers[r])
			}
			if barriers[r]*n > all {
				t.Fatalf("rank %d has passed %d barriers after %d entries of %d ranks", r, barriers[r], all, n)
			}
		}
		w := j.Worlds[0]
		if w.Inside < 0 || w.Inside > n || w.AtBarrier < 0 || w.AtBarrier >= n {
			t.Fatalf("%d ranks have begun MPI, %d are at the barrier", w.Inside, w.AtBarrier)
		}
		for key, value := range w.Values {
			if key == "" || len(key) > pmi.MaxKey || key != pmi.MappingKey && len(value) > pmi.MaxValue {
				t.Fatalf("key %q of %d bytes is kept", key, len(value))
			}
		}
	})
}

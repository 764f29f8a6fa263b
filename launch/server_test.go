package launch

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"gompi/shm"

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
	l, err := newLoop()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(l.fd) })
	j := &job{spec: &Spec{Name: "mpiexec"}, loop: l, names: names{}, scratch: make([]byte, 64<<10)}
	null, err := os.OpenFile("/dev/null", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { null.Close() })
	j.stdout, j.stderr = newSink(j, int(null.Fd())), newSink(j, int(null.Fd()))
	w := newWorld(0, []App{{Argv: []string{"a"}, Ranks: n}, {Argv: []string{"b"}}}, 2*n)
	j.worlds = []*world{w}
	here := &node{size: n}
	var ends []int
	for i := range n {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		r := &rank{number: i, app: i % 2, world: w, node: here, nodeRank: i, pidfd: -1, innerfd: -1}
		r.conn = newConn(j, r, pair[0])
		t.Cleanup(r.conn.close)
		if err := l.watch(pair[0], unix.EPOLLIN, r.conn); err != nil {
			t.Fatal(err)
		}
		w.ranks = append(w.ranks, r)
		j.ranks = append(j.ranks, r)
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
		c.SetDeadline(time.Now().Add(10 * time.Second))
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
	if err := tj.turn(time.Now().Add(5 * time.Second)); err != nil {
		tj.t.Fatal(err)
	}
	tj.serveSpawns()
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
	if r := tj.ranks[0]; !r.begun || !r.finalized || r.inMPI() {
		t.Errorf("rank 0 after init and finalize: %+v", r)
	}
	if tj.ranks[1].begun {
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
		if err := tj.loop.wait(time.Now().Add(10 * time.Millisecond)); err != nil {
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
		for i := 0; i < 50 && !tj.end.begun; i++ {
			tj.loop.wait(time.Now().Add(100 * time.Millisecond))
		}
		if !tj.end.begun || tj.end.code != 1 {
			t.Errorf("%.20q: the job goes on", text)
		}
	}
}

// A rank dies right after its world has parted from another one, which has told so in words that nobody has read yet.
func TestServerHearsOfPartingFirst(t *testing.T) {
	tj := startTestJob(t, 3)
	first := tj.worlds[0]
	spawned := newWorld(1, []App{{Argv: []string{"c"}, Ranks: 1}}, 3)
	segment, err := shm.CreateJob(1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { segment.Close() })
	child := tj.ranks[2]
	child.world, child.number, child.node = spawned, 0, &node{segment: segment, size: 1}
	first.ranks, spawned.ranks, spawned.nodes = first.ranks[:2], []*rank{child}, []*node{child.node}
	tj.worlds = append(tj.worlds, spawned)
	id := segment.ID()
	for parent := range 2 {
		tj.tell(parent, fmt.Sprintf("cmd=gompi_linked job=%x\n", id[:]))
	}
	if got := len(tj.connected(spawned)); got != 2 {
		t.Fatalf("%d worlds are connected, want 2", got)
	}
	for parent := range 2 {
		if _, err := fmt.Fprintf(tj.peers[parent], "cmd=gompi_parted job=%x\n", id[:]); err != nil {
			t.Fatal(err)
		}
	}
	tj.fail(spawned, 9)
	if !spawned.failing || first.failing {
		t.Errorf("the world of the dead rank is ended: %v, the one that has parted from it: %v", spawned.failing, first.failing)
	}
	if tj.end.code != 9 {
		t.Errorf("exit code %d, want 9", tj.end.code)
	}
}

func FuzzServer(f *testing.F) {
	f.Add("cmd=init pmi_version=1 pmi_subversion=1\ncmd=barrier_in\ncmd=finalize\n")
	f.Add("mcmd=spawn\nnprocs=2\nexecname=x\ntotspawns=9\nspawnssofar=1\nendcmd\nmcmd=spawn\n")
	f.Add("cmd=put kvsname=kvs_0 key=a value=b\ncmd=get kvsname=kvs_0 key=a\n")
	f.Add("cmd=publish_name service= port=\ncmd=lookup_name\ncmd=unpublish_name service=\n")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "abort") {
			return // ends the job by way of the processes that there are none of here
		}
		j, ends := newTestJob(t, 1)
		j.worlds[0].failing = true // so that no program is started, whatever the text asks for
		defer unix.Close(ends[0])
		for _, line := range strings.Split(text, "\n") {
			if len(line) > 10000 || !j.answer(j.ranks[0], line) {
				return
			}
		}
	})
}

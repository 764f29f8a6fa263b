package file

import (
	"strconv"
	"strings"

	"gompi/runtime/comm"
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/sharedmem"
	"gompi/shm"
)

// pathOf leaves out the prefix by which a program may name a kind of file system: "ufs:/tmp/x".
func pathOf(name string) string {
	for _, kind := range []string{"ufs:", "nfs:", "xfs:", "testfs:"} {
		if rest, ok := strings.CutPrefix(name, kind); ok {
			return rest
		}
	}
	return name
}

const defaultPermissions = 0o666 // less the process's mask

func permissions(i *info.Info) uint32 {
	if i != nil {
		if v, ok, err := i.Get(hintPermissions); err == nil && ok && octal(v) {
			n, _ := strconv.ParseUint(v, 8, 32)
			return uint32(n)
		}
	}
	return defaultPermissions
}

// Open opens a file for all ranks of c (MPI_File_open, collective). Either all get it or none.
func Open(config Config, c *comm.Comm, name string, mode Mode, i *info.Info) (*File, error) {
	if c.Inter() {
		return nil, mpierr.New(mpierr.ErrComm, "communicator %q is an intercommunicator", c.Label())
	}
	if !c.OnOneMachine() {
		return nil, mpierr.New(mpierr.ErrUnsupportedOperation, "the ranks of communicator %q are on several machines; gompi opens "+
			"files only for ranks of one, as MPI_Comm_split_type with MPI_COMM_TYPE_SHARED gives them", c.Label())
	}
	private, err := config.Comms.DupBare(c, "MPI_File_open")
	if err != nil {
		return nil, err
	}
	f := &File{config: config, comm: private, engine: private.Engine(), rank: c.Rank(), size: c.Size(),
		path: pathOf(name)}
	f.state.Mode = int32(mode)
	f.Kind, f.Origin = object.File, "MPI_File_open"
	private.SetName("file " + f.path)
	f.takeHints(i)
	memory, err := sharedmem.New(private, config.Node, sharedSize(f.size))
	if err != nil {
		config.Comms.Free(private)
		return nil, err
	}
	f.barrier = fileBarrier{memory: memory, engine: f.engine, ctx: private.Coll.ID, rank: f.rank, n: f.size}
	f.state.Shared = shm.Word64(memory.Base + pointerWord)
	f.individual.state = &f.state
	f.shared = sharedPointer{state: &f.state, barrier: &f.barrier}
	f.storage.state = &f.state
	f.storage.scratch = &f.engine.Scratch
	f.aggregators = aggregators{storage: &f.storage, barrier: &f.barrier, comm: private, node: config.Node}
	f.setView(bytesView())
	if err := f.openAll(i); err != nil {
		f.dispose()
		return nil, err
	}
	return f, nil
}

// openAll opens the file on rank 0, which may create it, and then on the others.
func (f *File) openAll(i *info.Info) error {
	if err := f.barrier.same("amode", int64(f.Mode()), f.Mode().check()); err != nil {
		return err
	}
	var err error
	if f.rank == 0 {
		err = f.storage.open(f.path, f.Mode(), f.Mode().creation(), permissions(i))
	}
	if err = f.barrier.agree(err); err != nil {
		return err
	}
	if f.rank != 0 {
		err = f.storage.open(f.path, f.Mode(), 0, 0)
	}
	var mine words
	if err == nil {
		var end int64
		end, err = f.storage.system.size()
		if f.storage.system.mappable() {
			mine[1] |= canMap
		}
		if f.storage.system.readable {
			mine[1] |= canRead
		}
		if f.Mode()&Append != 0 {
			f.individual.store(end)
			mine[2] = end
		}
	}
	mine[0] = int64(mpierr.CodeOf(err))
	o, e := f.barrier.wait(&mine, func(b *fileBarrier) outcome {
		f.shared.store(b.word(0, 2))
		o := firstFailure(b)
		if o[0] == 0 {
			o[1] = canMap | canRead
			for r := range b.n {
				o[1] &= b.word(r, 1)
			}
		}
		return o
	})
	if err = f.barrier.verdict(err, o, e); err != nil {
		if made := Create | Exclusive; f.rank == 0 && f.Mode()&made == made && f.storage.system != nil {
			_ = unlink(f.path) // it was made for nothing
		}
		return err
	}
	f.storage.mappable, f.storage.readable = o[1]&canMap != 0, o[1]&canRead != 0
	return f.settle(nil)
}

// What all ranks can do with the file.
const (
	canMap  = 1 << iota // share its pages
	canRead             // read it, whatever the mode says
)

// dispose gives back all that the file has.
func (f *File) dispose() {
	f.storage.pages.drop()
	if f.storage.system != nil {
		_ = f.storage.close() // there is an error to report already
	}
	f.barrier.memory.Close()
	f.aggregators.close()
	f.config.Comms.Free(f.comm)
}

// Close closes the file (MPI_File_close, collective). Unless it returns false the file is gone, even if there
// is an error. Nothing is forced to the device: MPI_File_sync is for that.
func (f *File) Close() (closed bool, err error) {
	own := f.split.outstanding()
	if err := f.barrier.agree(own); err != nil && (own != nil || f.barrier.whole() == nil) {
		return false, err // but a file whose group has lost processes is closed by each for itself
	}
	f.jobs.drain(f.engine)
	f.storage.pages.drop()
	err = f.barrier.agree(f.storage.close())
	if f.rank == 0 && f.Mode()&DeleteOnClose != 0 {
		if e := unlink(f.path); err == nil {
			err = e
		}
	}
	if f.Mode()&DeleteOnClose != 0 {
		err = f.barrier.agree(err)
	}
	f.dispose()
	return true, err
}

// Delete deletes a file that nobody needs to have opened (MPI_File_delete).
func Delete(name string) error { return unlink(pathOf(name)) }

package boot

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"gompi/shm"
	"gompi/wire/pmi"
)

// Program is what to start in a call of [Job.Spawn].
type Program struct {
	Name  string // as the launcher shall find it
	Args  []string
	Ranks int
	Hints []Hint
}

// Hint is an info key with its value.
type Hint struct{ Key, Value string }

// Spawn has the launcher start programs as a job of their own, whose ranks find the name of a port among what
// they are told ([Job.ParentPort]). It returns how many of each have been started, when gompi's own launcher
// has seen all of them begin MPI. After an error none runs. Several threads may call it.
func (j *Job) Spawn(programs []Program, port string) ([]int, error) {
	if j.client == nil {
		return nil, j.noSpawn()
	}
	request, err := j.spawnRequest(programs, port)
	if err != nil {
		return nil, err
	}
	reply, err := j.client.exchange(request, "spawn", "spawn_result")
	if text, ok := reply.Get("text"); err != nil && ok {
		return nil, errors.New(pmi.Decode(text))
	}
	if err != nil {
		return nil, err
	}
	started := make([]int, len(programs))
	for i := range programs {
		started[i] = programs[i].Ranks
	}
	if text, ok := reply.Get("started"); ok {
		fields := strings.Split(text, ",")
		for i := range started {
			if i >= len(fields) {
				return nil, fmt.Errorf("PMI spawn: the launcher speaks of %d programs, not of %d", len(fields), len(started))
			}
			if started[i], err = strconv.Atoi(fields[i]); err != nil {
				return nil, fmt.Errorf("PMI spawn: %w", err)
			}
		}
	}
	return started, nil
}

// noSpawn says why there is nobody to start programs.
func (j *Job) noSpawn() error {
	if j.Singleton {
		return ErrNoLauncher
	}
	return errors.New("the launcher that started this job cannot be asked to start programs; start the job with gompi's or MPICH's mpiexec")
}

// spawnRequest is the text of a request: a block for each program.
func (j *Job) spawnRequest(programs []Program, port string) ([]byte, error) {
	var request []byte
	for i, p := range programs {
		b := pmi.SpawnBlock{Program: p.Name, Args: p.Args, Ranks: p.Ranks, Index: i + 1, Total: len(programs)}
		hints, err := p.hints()
		if err != nil {
			return nil, err
		}
		for _, h := range hints {
			b.Info = append(b.Info, pmi.Arg{Key: h.Key, Value: h.Value})
		}
		dir, err := os.Getwd()
		if err != nil {
			dir = "/" // it has been removed
		}
		if j.ours {
			b.Info = append([]pmi.Arg{{Key: pmi.DirKey, Value: dir}}, b.Info...)
		} else if err := p.findable(dir, os.Getenv("PATH")); err != nil {
			return nil, err
		} else if _, given := b.Hint("wdir"); !given {
			b.Info = append(b.Info, pmi.Arg{Key: "wdir", Value: dir})
		}
		if i == 0 {
			b.Preputs = []pmi.Arg{{Key: pmi.ParentKey, Value: port}}
		}
		if request, err = b.Append(request, j.ours); err != nil {
			return nil, err
		}
	}
	return request, nil
}

// parentPort finds the port of those who asked for this process to be started, "" when nobody did.
func (j *Job) parentPort(env environ) (string, error) {
	if j.ours {
		return env(pmi.EnvParent), nil
	}
	if env(pmi.EnvSpawned) == "" || env(pmi.EnvSpawned) == "0" {
		return "", nil
	}
	port, err := j.Get(pmi.ParentKey)
	if err != nil {
		return "", fmt.Errorf("this process was started by another program, which gave it no port to connect to: %w", err)
	}
	return port, nil
}

// Linked tells the launcher that this process has come to be connected to another job, or is so no more:
// connected jobs end together when one of their ranks fails. Launchers other than gompi's are not told.
func (j *Job) Linked(job shm.JobID, on bool) error {
	if !j.ours || j.client == nil {
		return nil
	}
	word := "gompi_parted"
	if on {
		word = "gompi_linked"
	}
	return j.client.send(pmi.New(word, "job", hex.EncodeToString(job[:])))
}

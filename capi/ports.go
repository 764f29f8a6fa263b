package main

import (
	"gompi/runtime/info"
	"gompi/runtime/spawn"
)

// Ports and published names (MPI 5.0, 11.8). There are no hints that would change anything.

// desk holds the ports and names of this process. Preconditions: MPI is initialized.
func desk() *spawn.Desk { return &library.Load().process.Desk }

func mpiOpen_port(_ *info.Info) (string, error) { return desk().OpenPort() }

func mpiClose_port(port string) error { return desk().ClosePort(port) }

func mpiPublish_name(service string, _ *info.Info, port string) error {
	return desk().Publish(service, port)
}

func mpiUnpublish_name(service string, _ *info.Info, port string) error {
	return desk().Unpublish(service, port)
}

func mpiLookup_name(service string, _ *info.Info) (string, error) { return spawn.Lookup(service) }

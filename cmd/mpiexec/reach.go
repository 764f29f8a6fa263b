package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gompi/launch"
	"gompi/launch/host"
	"gompi/runtime/hardware"
	"gompi/runtime/tool"
)

// How other hosts are reached.

// sshWords is the command unless something else is asked for. Nobody is there to answer a question of its,
// and a host that does not answer is to be found out soon.
var sshWords = []string{"ssh", "-T", "-x", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5"}

// setStarter reads the command that is used in place of ssh.
func (l *commandLine) setStarter(a []string) (err error) {
	if l.starter, err = splitWords(a[0]); err == nil && len(l.starter) == 0 {
		err = fmt.Errorf("the command is empty")
	}
	return err
}

// Variables by which other launchers, and operators of Kubernetes that were made for them, say what to use in
// place of ssh, and with which further arguments.
var (
	starterVariables  = []string{"HYDRA_LAUNCHER_EXEC", "HYDRA_BOOTSTRAP_EXEC", "OMPI_MCA_plm_rsh_agent", "PRTE_MCA_plm_ssh_agent"}
	argumentVariables = []string{"HYDRA_LAUNCHER_EXTRA_ARGS", "HYDRA_LAUNCH_EXTRA_ARGS", "OMPI_MCA_plm_rsh_args", "PRTE_MCA_plm_ssh_args"}
)

// reach fills in how the launcher reaches other hosts.
func (l *commandLine) reach(s *launch.Spec) error {
	words := l.starter
	for _, name := range starterVariables {
		if text := os.Getenv(name); text != "" && words == nil {
			var err error
			if words, err = splitWords(text); err != nil {
				return fmt.Errorf("environment variable %s: %w", name, err)
			}
		}
	}
	if len(words) == 0 {
		words = sshWords
	}
	words = words[:len(words):len(words)]
	for _, name := range argumentVariables {
		more, err := splitWords(os.Getenv(name))
		if err != nil {
			return fmt.Errorf("environment variable %s: %w", name, err)
		}
		if len(more) > 0 {
			words = append(words, more...)
			break
		}
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("the file of the launcher: %w", err)
	}
	s.Remote = host.Remote{Shell: words, Proxy: self, Version: version, BindingText: l.binding.text()}
	s.Push, s.Libraries = l.push, filepath.Join(filepath.Dir(filepath.Dir(self)), "lib")
	if s.Fanout, err = numberFrom("GOMPI_LAUNCH_FANOUT", tool.DefaultFanout, 1, "hosts"); err != nil {
		return err
	}
	seconds, err := numberFrom("GOMPI_HEARTBEAT_TIMEOUT", tool.DefaultHeartbeat, 2, "seconds")
	if err != nil {
		return err
	}
	if os.Getenv("KUBERNETES_SERVICE_HOST") != "" {
		s.Retry = time.Minute // workers come up when they do
	}
	s.Silence = time.Duration(seconds) * time.Second
	return nil
}

// numberFrom is the value of a variable, a number from least on.
func numberFrom(name string, unset, least int, unit string) (int, error) {
	text := os.Getenv(name)
	if text == "" {
		return unset, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least {
		return 0, fmt.Errorf("environment variable %s: %q is not a number of %s from %d on", name, text, unit, least)
	}
	return n, nil
}

// text writes a binding for a proxy, "" where ranks are not bound.
func (b *binding) text() string {
	if b.kind == "" {
		return ""
	}
	text := b.kind + ";" + b.over + ";" + strconv.Itoa(b.each) + ";"
	if b.listed != nil {
		text += spans(b.listed)
	}
	return text
}

// bindHere is the binding of a text, as a proxy uses it: the processors of the n-th process that it starts,
// and how many the ranks share.
func bindHere(text string) (func(n int) []int, int, error) {
	words := strings.Split(text, ";")
	if len(words) != 4 {
		return nil, 0, fmt.Errorf("%q is no binding", text)
	}
	b := binding{kind: words[0], over: words[1]}
	var err error
	if b.each, err = strconv.Atoi(words[2]); err == nil && words[3] != "" {
		err = b.list(words[3])
	}
	if err != nil {
		return nil, 0, err
	}
	p, err := b.on(hardware.System(), hardware.Allowed())
	if err != nil || p == nil {
		return nil, 0, err
	}
	return p.of, len(p.allowed), nil
}

package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"
)

// startIn starts a command in the network namespace that a file holds. The thread that has joined it is not used again.
func startIn(path string, command *exec.Cmd) error {
	if path == "" {
		return command.Start()
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		if err := unix.Setns(int(file.Fd()), unix.CLONE_NEWNET); err != nil {
			started <- err
			return
		}
		started <- command.Start()
	}()
	return <-started
}

func namespace(c *call) string {
	return "cleat-made-" + text(c.request, "alloc_id")
}

func ip(words ...string) error {
	said, err := exec.Command("ip", words...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("ip: %w: %s", err, said)
	}
	return nil
}

func createNetwork(c *call) error {
	if err := ip("netns", "add", namespace(c)); err != nil {
		return err
	}
	return c.answer(message{"created": true, "isolation_spec": message{
		"mode": "GROUP", "path": "/run/netns/" + namespace(c), "labels": message{"host": text(c.request, "hostname")}}})
}

func destroyNetwork(c *call) error {
	if _, err := os.Stat("/run/netns/" + namespace(c)); err == nil {
		if err := ip("netns", "delete", namespace(c)); err != nil {
			return err
		}
	}
	return c.answer(message{})
}

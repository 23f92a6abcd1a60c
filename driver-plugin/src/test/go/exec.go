package main

import (
	"encoding/base64"
	"io"
	"os/exec"
	"sync"
	"syscall"
)

// A writer whose bytes become one field of an answer.
type output struct {
	call  *call
	field string
	lock  *sync.Mutex
}

func (o output) Write(bytes []byte) (int, error) {
	o.lock.Lock()
	defer o.lock.Unlock()
	data := base64.StdEncoding.EncodeToString(bytes)
	return len(bytes), o.call.answer(message{o.field: message{"data": data}})
}

func (d *driver) exec(c *call) error {
	setup, _ := c.request["setup"].(message)
	if _, err := d.find(setup); err != nil {
		return err
	}
	var words []string
	list, _ := setup["command"].([]any)
	for _, word := range list {
		words = append(words, word.(string))
	}
	lock := &sync.Mutex{}
	command := exec.CommandContext(c.ctx, words[0], words[1:]...)
	command.Stdout = output{c, "stdout", lock}
	command.Stderr = output{c, "stderr", lock}
	input, err := command.StdinPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	go feed(c, input)
	command.Wait()
	status := command.ProcessState.Sys().(syscall.WaitStatus)
	result := message{"exit_code": status.ExitStatus()}
	if status.Signaled() {
		result = message{"signal": int(status.Signal())}
	}
	lock.Lock()
	defer lock.Unlock()
	return c.answer(message{"exited": true, "result": result})
}

func feed(c *call, input io.WriteCloser) {
	defer input.Close()
	for {
		m, err := c.next()
		if err != nil {
			return
		}
		stdin, _ := m["stdin"].(message)
		data, _ := base64.StdEncoding.DecodeString(text(stdin, "data"))
		if _, err := input.Write(data); err != nil {
			return
		}
		if closed, _ := stdin["close"].(bool); closed {
			return
		}
	}
}

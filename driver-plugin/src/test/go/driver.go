package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

var errUnknown = errors.New("task not found for given id")

type task struct {
	id      string
	pid     int
	started time.Time
	done    chan struct{}
	code    int
	signal  int
	lost    bool // its end is not known
}

func (t *task) over() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

type driver struct {
	lock  sync.Mutex
	tasks map[string]*task
}

func newDriver() *driver {
	return &driver{tasks: map[string]*task{}}
}

func (d *driver) find(request message) (*task, error) {
	d.lock.Lock()
	defer d.lock.Unlock()
	if t, ok := d.tasks[text(request, "task_id")]; ok {
		return t, nil
	}
	return nil, errUnknown
}

func text(m message, key string) string {
	value, _ := m[key].(string)
	return value
}

func attr(name, kind string, required bool) message {
	return message{"attr": message{"name": name, "type": kind, "required": required}}
}

func (d *driver) handlers() map[string]handler {
	return map[string]handler{
		"PluginInfo": func(c *call) error {
			return c.answer(message{"type": *kind, "plugin_api_versions": []string{"v0.1.0"}, "plugin_version": "0.0.1", "name": *name})
		},
		"ConfigSchema": func(c *call) error {
			return c.answer(message{"spec": message{"object": message{"attributes": message{
				"greeting": message{"default": message{
					"primary": attr("greeting", "string", false),
					"default": message{"literal": message{"value": "\"hello\""}}}},
				"nodes": attr("nodes", "list(string)", false)}}}})
		},
		"SetConfig": func(c *call) error {
			if *record != "" {
				line, _ := json.Marshal(c.request)
				file, err := os.OpenFile(*record, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
				if err != nil {
					return err
				}
				defer file.Close()
				fmt.Fprintln(file, string(line))
			}
			return c.answer(message{})
		},
		"TaskConfigSchema": func(c *call) error {
			return c.answer(message{"spec": message{"object": message{"attributes": message{
				"command": attr("command", "string", true),
				"args":    attr("args", "list(string)", false)}}}})
		},
		"Capabilities": func(c *call) error {
			can := message{"send_signals": true, "exec": true, "fs_isolation": "NONE", "mount_configs": "NO_MOUNTS"}
			if *joins {
				can["network_isolation_modes"] = []string{"HOST", "GROUP"}
				can["must_create_network"] = true
			}
			return c.answer(message{"capabilities": can})
		},
		"Fingerprint": func(c *call) error {
			err := c.answer(message{
				"health": "HEALTHY", "health_description": "Healthy",
				"attributes": message{
					"driver." + *name + ".pid":  message{"int_val": os.Getpid()},
					"driver." + *name + ".size": message{"int_val": 5, "unit": "MiB"}}})
			if err != nil {
				return err
			}
			<-c.ctx.Done()
			return nil
		},
		"StartTask":         d.start,
		"RecoverTask":       d.recover,
		"WaitTask":          d.wait,
		"StopTask":          d.stop,
		"DestroyTask":       d.destroy,
		"InspectTask":       d.inspect,
		"SignalTask":        d.send,
		"TaskStats":         d.stats,
		"ExecTaskStreaming": d.exec,
		"CreateNetwork":     createNetwork,
		"DestroyNetwork":    destroyNetwork,
	}
}

// The driver's settings come in MessagePack: a map of short texts, lists of such, and nothing, is all that is read here.
type unpacker struct{ bytes []byte }

func (u *unpacker) take(n int) []byte {
	taken := u.bytes[:n]
	u.bytes = u.bytes[n:]
	return taken
}

func (u *unpacker) value() any {
	head := u.take(1)[0]
	switch {
	case head == 0xc0:
		return nil
	case head&0xe0 == 0xa0:
		return string(u.take(int(head & 0x1f)))
	case head == 0xd9:
		return string(u.take(int(u.take(1)[0])))
	case head == 0xda:
		size := u.take(2)
		return string(u.take(int(size[0])<<8 | int(size[1])))
	case head&0xf0 == 0x90:
		list := []any{}
		for i := 0; i < int(head&0x0f); i++ {
			list = append(list, u.value())
		}
		return list
	case head&0xf0 == 0x80:
		m := message{}
		for i := 0; i < int(head&0x0f); i++ {
			key, _ := u.value().(string)
			m[key] = u.value()
		}
		return m
	}
	panic(fmt.Sprintf("MessagePack of the kind %x is not read here", head))
}

func (d *driver) start(c *call) error {
	wanted, _ := c.request["task"].(message)
	packed, err := base64.StdEncoding.DecodeString(text(wanted, "msgpack_driver_config"))
	if err != nil {
		return err
	}
	config, _ := (&unpacker{packed}).value().(message)
	var args []string
	list, _ := config["args"].([]any)
	for _, arg := range list {
		args = append(args, arg.(string))
	}
	command := exec.Command(text(config, "command"), args...)
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	command.Dir = filepath.Join(text(wanted, "alloc_dir"), text(wanted, "name"))
	env, _ := wanted["env"].(message)
	for key, value := range env {
		command.Env = append(command.Env, key+"="+value.(string))
	}
	out, err := os.OpenFile(text(wanted, "stdout_path"), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer out.Close()
	errors, err := os.OpenFile(text(wanted, "stderr_path"), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer errors.Close()
	command.Stdout = out
	command.Stderr = errors
	network, _ := wanted["network_isolation_spec"].(message)
	if err := startIn(text(network, "path"), command); err != nil {
		return c.answer(message{"result": "FATAL", "driver_error_msg": err.Error()})
	}
	t := &task{id: text(wanted, "id"), pid: command.Process.Pid, started: time.Now(), done: make(chan struct{})}
	d.lock.Lock()
	d.tasks[t.id] = t
	d.lock.Unlock()
	go func() {
		command.Wait()
		status := command.ProcessState.Sys().(syscall.WaitStatus)
		if status.Signaled() {
			t.signal = int(status.Signal())
		} else {
			t.code = status.ExitStatus()
		}
		close(t.done)
	}()
	state := base64.StdEncoding.EncodeToString([]byte(strconv.Itoa(t.pid)))
	return c.answer(message{"handle": message{"version": 1, "config": wanted, "state": "RUNNING", "driver_state": state}})
}

func (d *driver) recover(c *call) error {
	handle, _ := c.request["handle"].(message)
	state, err := base64.StdEncoding.DecodeString(text(handle, "driver_state"))
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(string(state))
	if err != nil {
		return err
	}
	if syscall.Kill(pid, 0) != nil {
		return fmt.Errorf("process %d is gone", pid)
	}
	t := &task{id: text(c.request, "task_id"), pid: pid, started: time.Now(), done: make(chan struct{}), lost: true}
	d.lock.Lock()
	d.tasks[t.id] = t
	d.lock.Unlock()
	go func() {
		for alive(pid) {
			time.Sleep(10 * time.Millisecond)
		}
		close(t.done)
	}()
	return c.answer(message{})
}

// An orphan may stay a zombie for long.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	rest := string(stat[strings.LastIndexByte(string(stat), ')')+2:])
	return rest[0] != 'Z' && rest[0] != 'X'
}

func (t *task) result() message {
	return message{"exit_code": t.code, "signal": t.signal}
}

func (d *driver) wait(c *call) error {
	t, err := d.find(c.request)
	if err != nil {
		return err
	}
	select {
	case <-t.done:
	case <-c.ctx.Done():
		return c.ctx.Err()
	}
	if t.lost {
		return c.answer(message{"err": "its exit code was not seen"})
	}
	return c.answer(message{"result": t.result()})
}

func (d *driver) stop(c *call) error {
	t, err := d.find(c.request)
	if err != nil {
		return err
	}
	timeout, err := time.ParseDuration(text(c.request, "timeout"))
	if err != nil {
		return err
	}
	syscall.Kill(-t.pid, unix.SignalNum(text(c.request, "signal")))
	select {
	case <-t.done:
	case <-time.After(timeout):
		syscall.Kill(-t.pid, syscall.SIGKILL)
		<-t.done
	}
	return c.answer(message{})
}

func (d *driver) destroy(c *call) error {
	t, err := d.find(c.request)
	if err != nil {
		return err
	}
	if !t.over() {
		if force, _ := c.request["force"].(bool); !force {
			return errors.New("it runs")
		}
		syscall.Kill(-t.pid, syscall.SIGKILL)
		<-t.done
	}
	d.lock.Lock()
	delete(d.tasks, t.id)
	d.lock.Unlock()
	return c.answer(message{})
}

func (d *driver) inspect(c *call) error {
	t, err := d.find(c.request)
	if err != nil {
		return err
	}
	state := "RUNNING"
	if t.over() {
		state = "EXITED"
	}
	return c.answer(message{"task": message{"id": t.id, "state": state, "started_at": t.started.Format(time.RFC3339Nano), "result": t.result()}})
}

func (d *driver) send(c *call) error {
	t, err := d.find(c.request)
	if err != nil {
		return err
	}
	if t.over() {
		return errors.New("it has ended")
	}
	if err := syscall.Kill(t.pid, unix.SignalNum(text(c.request, "signal"))); err != nil {
		return err
	}
	return c.answer(message{})
}

func (d *driver) stats(c *call) error {
	t, err := d.find(c.request)
	if err != nil {
		return err
	}
	for {
		usage := message{"cpu": message{"percent": 12.5}, "memory": message{"rss": 4096, "usage": 8192, "max_usage": 16384}}
		err := c.answer(message{"stats": message{"id": t.id, "agg_resource_usage": usage,
			"resource_usage_by_pid": message{strconv.Itoa(t.pid): usage}}})
		if err != nil {
			return err
		}
		select {
		case <-c.ctx.Done():
			return nil
		case <-time.After(time.Second):
		}
	}
}

package io.cleat.cli;

import io.cleat.base.Deadline;
import io.cleat.base.Time;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** A person in front of the command line, with a clock that only moves when somebody sleeps. */
final class Session implements Terminal, Time {
    /** The clock's start. */
    static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

    final Map<String, String> variables = new LinkedHashMap<>();
    final Deque<String> typed = new ArrayDeque<>();
    final List<Duration> slept = new ArrayList<>();
    Path directory = Path.of("");
    Path agents = Path.of("/nonexistent");
    Instant now = START;
    boolean atKeyboard;

    /** How often a command may sleep before it is interrupted. */
    int patience = Integer.MAX_VALUE;

    /** How long an answer may really take before a command looks what it waits for. */
    Duration realWait = Duration.ofSeconds(30);

    private int waited;
    private Duration inWaits = Duration.ZERO;

    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    String out = "";
    String err = "";

    /** Runs one command, whose words are those of {@code line} between single spaces. */
    int run(String line) {
        return run(List.of(line.split(" ", -1)));
    }

    int run(List<String> args) {
        StringWriter outText = new StringWriter();
        StringWriter errText = new StringWriter();
        int code = new Cli(List.of(new Program(
                        "dev",
                        "Start an agent to try things with",
                        "Starts one.",
                        List.of(Flag.value("bind", "address", "Where.")),
                        List.of("cleat dev"))))
                .run(
                        args,
                        new PrintWriter(outText),
                        new PrintWriter(errText),
                        new Environment(variables, directory, this, this, ZoneOffset.UTC, agents));
        out = outText.toString();
        err = errText.toString();
        return code;
    }

    @Override
    public boolean canAsk() {
        return atKeyboard;
    }

    @Override
    public boolean showsColour() {
        return atKeyboard;
    }

    @Override
    public String readLine() {
        return typed.isEmpty() ? "" : typed.removeFirst();
    }

    @Override
    public OutputStream output() {
        return bytes;
    }

    @Override
    public OutputStream errors() {
        return bytes;
    }

    @Override
    public InputStream input() {
        return InputStream.nullInputStream();
    }

    @Override
    public Optional<Tty> tty() {
        return Optional.empty();
    }

    @Override
    public byte[] readAll() {
        byte[] all = String.join("\n", typed).getBytes(StandardCharsets.UTF_8);
        typed.clear();
        return all;
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public long nanos() {
        return Duration.between(START, now).plus(inWaits).toNanos();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        slept.add(duration);
        if (slept.size() > patience) {
            throw new InterruptedException("enough");
        }
        now = now.plus(duration);
    }

    @SuppressWarnings("WaitNotInLoop") // Whoever calls it loops.
    @Override
    public boolean await(Condition condition, Deadline deadline) throws InterruptedException {
        if (waited++ >= patience) {
            throw new InterruptedException("enough");
        }
        if (condition.await(realWait.toMillis(), TimeUnit.MILLISECONDS)) {
            return true;
        }
        inWaits = inWaits.plusSeconds(1);
        return !deadline.isExpired();
    }

    @Override
    public Interrupts beforeEnd(Runnable last) {
        return () -> {};
    }
}

package io.cleat.driver.docker;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Time;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.exchange.HttpReply;
import io.cleat.exchange.OpenConnection;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A command that an engine runs in a container, over a connection that speaks no HTTP any more. The engine does not end
 * a command whose connection ends: so whoever closes this before its end has its process killed.
 */
final class EngineExec implements ExecSession {
    private static final byte[] END_OF_INPUT = {4};
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final int LOOKS = 40;

    private final Engine engine;
    private final String id;
    private final boolean terminal;
    private final OpenConnection connection;
    private final InputStream input;
    private final OutputFrames frames;
    private final Ending ending;
    private final Time time;
    private volatile boolean isOver;

    /** Ends a command that nobody listens to any more. */
    @FunctionalInterface
    interface Ending {
        /** @param pid of the command, where the engine is */
        void end(long pid);
    }

    private EngineExec(
            Engine engine, String id, boolean terminal, OpenConnection connection, Ending ending, Time time) {
        this.engine = engine;
        this.id = id;
        this.terminal = terminal;
        this.connection = connection;
        this.input = connection.input();
        this.frames = new OutputFrames(input);
        this.ending = ending;
        this.time = time;
    }

    /** Starts a command in a container. */
    static EngineExec start(Engine engine, String container, ExecCommand command, Ending ending, Time time)
            throws DriverTrouble {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("AttachStdin", true);
        spec.put("AttachStdout", true);
        spec.put("AttachStderr", true);
        spec.put("Tty", command.terminal());
        spec.put("Cmd", command.words());
        if (command.terminal()) {
            spec.put("Env", List.of("TERM=xterm"));
        }
        String id = engine.post("/containers/" + Engine.encoded(container) + "/exec", spec, Engine.SHORT)
                .path("Id")
                .asString("");
        String target = "/exec/" + Engine.encoded(id) + "/start";
        HttpReply reply = engine.stream(
                "POST",
                target,
                Map.of("Detach", false, "Tty", command.terminal()),
                Map.of("Connection", "Upgrade", "Upgrade", "tcp"),
                Engine.LONG);
        try {
            if (!reply.isSwitched()) {
                reply.close();
                throw Engine.garbage(
                        "POST " + target,
                        "a command's connection is to be switched, and the status is " + reply.status());
            }
            return new EngineExec(engine, id, command.terminal(), reply.connection(), ending, time);
        } catch (IOException failed) {
            throw engine.cut("POST", "POST " + target, failed);
        }
    }

    @Override
    public void input(byte[] bytes) throws DriverTrouble {
        try {
            connection.write(ByteBuffer.wrap(bytes));
        } catch (IOException gone) {
            // A command that reads no more may still say much; how it ends, its output tells.
            return;
        }
    }

    @Override
    public void endInput() throws DriverTrouble {
        if (terminal) {
            input(END_OF_INPUT);
            return;
        }
        try {
            connection.endOutput();
        } catch (IOException gone) {
            return;
        }
    }

    @Override
    public void resize(int rows, int columns) throws DriverTrouble {
        if (terminal) {
            engine.post("/exec/" + id + "/resize?h=" + rows + "&w=" + columns, null, Engine.SHORT);
        }
    }

    @Override
    public Optional<Output> next() throws DriverTrouble, InterruptedException {
        if (isOver) {
            return Optional.empty();
        }
        try {
            Optional<Output> output = terminal ? raw() : framed();
            return output.isPresent() ? output : end();
        } catch (IOException cut) {
            return end();
        }
    }

    private Optional<Output> raw() throws IOException {
        byte[] some = new byte[32 << 10];
        int count = input.read(some);
        return count < 0 ? Optional.empty() : Optional.of(new Output.Out(Arrays.copyOf(some, count)));
    }

    private Optional<Output> framed() throws IOException {
        return frames.next()
                .map(frame -> frame.errors() ? new Output.Err(frame.bytes()) : new Output.Out(frame.bytes()));
    }

    private JsonNode inspect() throws DriverTrouble {
        return engine.get("/exec/" + id + "/json");
    }

    /** The connection has ended, and the command with it, or a moment later. */
    private Optional<Output> end() throws DriverTrouble, InterruptedException {
        for (int tries = 0; tries < LOOKS; tries++) {
            JsonNode said;
            try {
                said = inspect();
            } catch (EngineAnswer gone) {
                // With its container.
                isOver = true;
                return Optional.empty();
            }
            if (!said.path("Running").asBoolean(false)) {
                isOver = true;
                JsonNode code = said.path("ExitCode");
                return code.isNumber()
                        ? Optional.of(new Output.Exited(Ends.of(code.asInt(), false)))
                        : Optional.empty();
            }
            time.sleep(LOOK);
        }
        isOver = true;
        return Optional.empty();
    }

    @Override
    public void close() {
        connection.close();
        if (isOver) {
            return;
        }
        isOver = true;
        try {
            endCommand();
        } catch (DriverTrouble away) {
            // It ends with its container.
            return;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** An engine may switch the connection, or let the command run, a moment before it can say which process it is. */
    private void endCommand() throws DriverTrouble, InterruptedException {
        for (int tries = 0; tries < LOOKS; tries++) {
            JsonNode said = inspect();
            boolean runs = said.path("Running").asBoolean(false);
            long pid = said.path("Pid").asLong(0);
            if (runs && pid > 0) {
                ending.end(pid);
                return;
            }
            if (!runs && said.path("ExitCode").isNumber()) {
                return;
            }
            time.sleep(LOOK);
        }
    }
}

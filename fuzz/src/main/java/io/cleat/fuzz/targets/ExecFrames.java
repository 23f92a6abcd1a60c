package io.cleat.fuzz.targets;

import io.cleat.driver.ExecSession;
import io.cleat.fuzz.Target;
import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Optional;

/** Frames that a client sends over its websocket to a command in a task. */
final class ExecFrames implements Target {
    private final Constructor<?> constructor = Hidden.constructor("nodeapi.TaskCommands$Encoded", ExecSession.class);

    @Override
    public String name() {
        return "exec-frames";
    }

    @Override
    public String about() {
        return "frames that a client sends to a command in a task";
    }

    @Override
    public List<byte[]> samples() {
        return List.of(
                Samples.bytes("{\"stdin\":{\"data\":\"aGVsbG8=\",\"close\":true}}"),
                Samples.bytes("{\"tty_size\":{\"height\":24,\"width\":80}}"),
                Samples.bytes("{}"));
    }

    @Override
    public void run(byte[] input) throws Exception {
        if (Hidden.make(constructor, new Deaf()) instanceof io.cleat.http.ExecFrames frames) {
            frames.send(input);
        }
    }

    /** Takes everything. */
    private record Deaf() implements ExecSession {
        @Override
        public void input(byte[] bytes) {}

        @Override
        public void endInput() {}

        @Override
        public void resize(int rows, int columns) {
            if (rows < 0 || columns < 0 || rows > 65_535 || columns > 65_535) {
                throw new AssertionError("a terminal of " + rows + " x " + columns);
            }
        }

        @Override
        public Optional<Output> next() {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }
}

package io.cleat.nodeapi;

import io.cleat.api.ExecInput;
import io.cleat.api.ExecOutput;
import io.cleat.api.Json;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.http.ExecFrames;
import java.util.Optional;

/**
 * Commands in tasks as the API's frames: a driver's own, passed through, where it has them; else made of its streams.
 */
final class TaskCommands {
    private TaskCommands() {}

    static ExecFrames run(TaskDriver driver, TaskHandle task, ExecCommand command)
            throws DriverTrouble, InterruptedException {
        Optional<io.cleat.driver.ExecFrames> frames = driver.execFrames(task, command);
        return frames.isPresent() ? new Passed(frames.get()) : new Encoded(driver.exec(task, command));
    }

    /** Nothing of it is read here. */
    private record Passed(io.cleat.driver.ExecFrames frames) implements ExecFrames {
        @Override
        public void send(byte[] frame) throws Trouble, InterruptedException {
            frames.send(frame);
        }

        @Override
        public Optional<byte[]> next() throws Trouble, InterruptedException {
            return frames.next();
        }

        @Override
        public void close() {
            frames.close();
        }
    }

    private static final class Encoded implements ExecFrames {
        private final ExecSession session;
        private boolean isOver;

        Encoded(ExecSession session) {
            this.session = session;
        }

        @Override
        public void send(byte[] frame) throws Refused, Trouble, InterruptedException {
            ExecInput input = Json.read(frame, ExecInput.class);
            if (input.stdin() != null) {
                byte[] bytes = bytes(input.stdin());
                if (bytes.length > 0) {
                    session.input(bytes);
                }
                if (input.stdin().close()) {
                    session.endInput();
                }
            }
            if (input.tty_size() != null) {
                session.resize(
                        size(input.tty_size().height()), size(input.tty_size().width()));
            }
        }

        private static int size(int given) {
            return Math.clamp(given, 0, 65535);
        }

        private static byte[] bytes(ExecInput.Stdin stdin) throws Refused {
            try {
                return stdin.bytes();
            } catch (IllegalArgumentException notBase64) {
                throw new Refused(new Refusal.Malformed("stdin.data is not base64"));
            }
        }

        @Override
        public Optional<byte[]> next() throws Trouble, InterruptedException {
            if (isOver) {
                return Optional.empty();
            }
            Optional<ExecSession.Output> output = session.next();
            if (output.isEmpty()) {
                throw new DriverTrouble("the task ended, and the command in it", Effect.UNKNOWN, Retry.NEVER);
            }
            isOver = output.get() instanceof ExecSession.Output.Exited;
            return output.map(Encoded::frame);
        }

        private static byte[] frame(ExecSession.Output output) {
            return switch (output) {
                case ExecSession.Output.Out(byte[] bytes) -> ExecOutput.outJson(bytes);
                case ExecSession.Output.Err(byte[] bytes) -> ExecOutput.errorJson(bytes);
                case ExecSession.Output.Exited exited ->
                    Json.write(ExecOutput.exited(exited.result().exitCode()));
            };
        }

        @Override
        public void close() {
            session.close();
        }
    }
}

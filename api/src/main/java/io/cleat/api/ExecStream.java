package io.cleat.api;

import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * A command that runs in a task. One thread takes its output; any may send. Closing this before its end ends the
 * command.
 */
public final class ExecStream implements AutoCloseable {
    private final TextSocket socket;
    private boolean exited;

    ExecStream(TextSocket socket) {
        this.socket = socket;
    }

    public void send(ExecInput input) throws LinkTrouble {
        try {
            socket.send(Json.write(input));
        } catch (IOException gone) {
            throw trouble(gone);
        }
    }

    /**
     * What comes next that is no sign of life; blocks until there is something.
     *
     * @return empty at the end, after the one that is {@link ExecOutput#exited}
     * @throws LinkTrouble it ended otherwise, in the words of the agent if it gave any
     */
    public Optional<ExecOutput> next() throws LinkTrouble {
        try {
            Optional<byte[]> message = socket.receive();
            while (message.isPresent()) {
                ExecOutput output = Json.read(message.get(), ExecOutput.class);
                requireReadable(output);
                exited |= output.exited();
                if (output.exited() || output.stdout() != null || output.stderr() != null) {
                    return Optional.of(output);
                }
                message = socket.receive();
            }
        } catch (IOException broken) {
            throw trouble(broken);
        } catch (Refused unreadable) {
            throw new LinkTrouble(
                    "what came of the command cannot be read: "
                            + unreadable.refusal().message(),
                    Effect.UNKNOWN,
                    Retry.NEVER,
                    unreadable);
        }
        if (!exited || socket.status() != TextSocket.NORMAL) {
            throw new LinkTrouble(
                    socket.reason().isEmpty()
                            ? "the agent ended the command's connection (" + socket.status() + ")"
                            : socket.reason(),
                    Effect.UNKNOWN,
                    Retry.NEVER);
        }
        return Optional.empty();
    }

    private static void requireReadable(ExecOutput output) throws Refused {
        try {
            for (ExecOutput.Stream one : Arrays.asList(output.stdout(), output.stderr())) {
                if (one != null) {
                    one.bytes();
                }
            }
        } catch (IllegalArgumentException notBase64) {
            throw new Refused(new Refusal.Malformed("its data is not base64"));
        }
    }

    private static LinkTrouble trouble(IOException gone) {
        return new LinkTrouble(
                "the connection to the command broke: " + gone.getMessage(), Effect.UNKNOWN, Retry.NEVER, gone);
    }

    @Override
    public void close() {
        socket.close();
    }
}

package io.cleat.cli;

import io.cleat.api.Allocation;
import io.cleat.api.CleatClient;
import io.cleat.api.ExecInput;
import io.cleat.api.ExecOutput;
import io.cleat.api.ExecStream;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code alloc exec}: a command in a running task, as if it ran here. */
final class AllocationExec {
    static final Verb VERB = Verb.named("alloc exec", "Run a command in a running task")
            .takesCommand("<allocation> <command> [argument]...")
            .about("Runs a command where a task runs: in its directory and environment, as"
                    + " its user, within its limits. Returns the command's exit"
                    + " code, 128 and the number of the signal that ended it, or 1"
                    + " if it could not be run. The command ends with this one, and"
                    + " with the task. On a terminal, ~. at the beginning of a line"
                    + " gets out.")
            .flags(
                    AllocationChoice.TASK,
                    AllocationChoice.JOB,
                    Flag.yes("i", "Pass standard input on; so it is, unless -i=false is given."),
                    Flag.yes(
                            "t",
                            "Give the command a terminal; so it is where standard input and"
                                    + " output are one, unless -t=false is given."),
                    Flag.value("e", "key", "The key that gets out, before a full stop; none for none. ~ unless given."))
            .examples(
                    "cleat alloc exec 2849ded8 sh",
                    "cleat alloc exec -task=db 2849ded8 pg_dump -Fc shop > shop.dump",
                    "cleat alloc exec -job web ls -la local")
            .does(AllocationExec::run);

    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int LOOKS_PER_HEARTBEAT = 10;
    private static final int PIECE = 32 * 1024;

    private final Call call;
    private final ExecStream command;
    private final Optional<Terminal.Tty> tty;

    private AllocationExec(Call call, ExecStream command, Optional<Terminal.Tty> tty) {
        this.call = call;
        this.command = command;
        this.tty = tty;
    }

    private static int run(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, IOException {
        Terminal terminal = call.environment().terminal();
        boolean hasTerminal = call.flags()
                .value("t")
                .map("true"::equals)
                .orElse(terminal.tty().isPresent() && terminal.showsColour());
        byte[] escape = escape(call);
        CleatClient client = call.client();
        String id = AllocationChoice.id(call, client);
        Allocation allocation = client.allocations().get(id, Params.none()).body();
        String task = AllocationChoice.task(call, allocation, Optional.empty());
        List<String> words = call.arguments().subList(1, call.arguments().size());
        Optional<Terminal.Tty> tty = hasTerminal ? terminal.tty() : Optional.empty();
        try (ExecStream command = client.allocations().exec(id, task, hasTerminal, words)) {
            return new AllocationExec(call, command, tty).talk(escape);
        }
    }

    private static byte[] escape(Call call) throws Failure {
        String key = call.flags().value("e").orElse("~");
        byte[] bytes = key.equals("none") ? new byte[0] : key.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 1 || key.isEmpty()) {
            throw new Failure("flag -e takes one key or none, got \"" + key + "\"");
        }
        return bytes;
    }

    private int talk(byte[] escape) throws LinkTrouble, IOException {
        Threads threads = Threads.virtual((where, fault) -> call.say(where + ": " + fault));
        if (tty.isEmpty()) {
            start(threads, new byte[0], null);
            return take();
        }
        Terminal.Tty.Size size = tty.get().size();
        send(size);
        try (Terminal.Tty.Raw _ = tty.get().raw()) {
            start(threads, escape, size);
            return take();
        }
    }

    private void start(Threads threads, byte[] escape, Terminal.Tty.@Nullable Size told) {
        if (call.flags().value("i").map("true"::equals).orElse(true)) {
            threads.contained("exec/input", () -> pass(escape), fault -> command.close());
        }
        threads.contained("exec/signs of life", () -> showLife(told), fault -> command.close());
    }

    /** Prints what comes, up to the command's end. */
    private int take() throws LinkTrouble, IOException {
        OutputStream out = call.bytes();
        OutputStream errors = call.environment().terminal().errors();
        for (Optional<ExecOutput> next = command.next(); next.isPresent(); next = command.next()) {
            ExecOutput output = next.get();
            print(output.stdout(), out);
            print(output.stderr(), errors);
            if (output.exited()) {
                return output.result() == null ? 0 : output.result().exit_code();
            }
        }
        return 1;
    }

    private static void print(ExecOutput.@Nullable Stream piece, OutputStream to) throws IOException {
        if (piece != null) {
            to.write(piece.bytes());
            to.flush();
        }
    }

    private void pass(byte[] escape) {
        @Nullable EscapeKeys keys = escape.length == 1 ? new EscapeKeys(escape[0]) : null;
        byte[] some = new byte[PIECE];
        try {
            InputStream input = call.environment().terminal().input();
            for (int count = input.read(some); count >= 0; count = input.read(some)) {
                Optional<byte[]> passed =
                        keys == null ? Optional.of(Arrays.copyOf(some, count)) : keys.pass(some, count);
                if (passed.isEmpty()) {
                    command.close();
                    return;
                }
                if (passed.get().length > 0) {
                    command.send(ExecInput.of(passed.get()));
                }
            }
            command.send(ExecInput.end());
        } catch (LinkTrouble | IOException over) {
            // The command has ended, or is about to; what comes of it says how.
            return;
        }
    }

    /**
     * Says now and then that somebody is here, and at once how large the terminal has become.
     *
     * @param told its size as it was said at the beginning; it may have changed since
     */
    private void showLife(Terminal.Tty.@Nullable Size told) throws InterruptedException {
        try {
            Terminal.Tty.@Nullable Size before = told;
            for (int look = 1; ; look++) {
                call.time().sleep(LOOK);
                Terminal.Tty.@Nullable Size now = tty.isPresent() ? tty.get().size() : null;
                if (now != null && !now.equals(before)) {
                    send(now);
                    before = now;
                }
                if (look % LOOKS_PER_HEARTBEAT == 0) {
                    command.send(ExecInput.HEARTBEAT);
                }
            }
        } catch (LinkTrouble | IOException over) {
            return;
        }
    }

    private void send(Terminal.Tty.Size size) throws LinkTrouble {
        command.send(ExecInput.size(size.rows(), size.columns()));
    }
}

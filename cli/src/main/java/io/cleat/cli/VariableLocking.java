package io.cleat.cli;

import io.cleat.api.CleatClient;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.api.Variable;
import io.cleat.api.VariableLock;
import io.cleat.api.VariableValidation;
import io.cleat.api.VariablesClient;
import io.cleat.api.VariablesClient.LockCall;
import io.cleat.base.Durations;
import io.cleat.base.LinkTrouble;
import io.cleat.base.VisibleText;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Runs a command for as long as the lock of a variable is held: waits for the lock, renews it at half of its time, ends
 * the command when it is lost, and gives it back when the command has ended.
 */
final class VariableLocking {
    private static final String TTL_FLAG = "ttl";
    private static final String DELAY_FLAG = "delay";
    private static final String RETRY_FLAG = "max-retry";
    private static final String SHELL_FLAG = "shell";
    private static final int USUAL_RETRIES = 5;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final Duration TO_END = Duration.ofSeconds(5);

    static final Verb VERB = Verb.named("var lock", "Run a command while a lock is held")
            .takesCommand("<path | @file> [@file] <command>...")
            .about("Takes the lock of a variable, which is made if it is not there, and"
                    + " waits while somebody else holds it. Then runs a command, and"
                    + " gives the lock back at its end. If the lock is lost, the"
                    + " command is ended. Flags stand in front of the path. The exit"
                    + " code is the command's, or 1.")
            .flags(
                    Flag.value(TTL_FLAG, "duration", "For how long it is held. Default: 15s."),
                    Flag.value(DELAY_FLAG, "duration", "For how long nobody takes it after it was lost. Default: 15s."),
                    Flag.value(RETRY_FLAG, "count", "How often in a row a renewal may fail. Default: 5."),
                    Flag.yes(SHELL_FLAG, "Run the command by $SHELL or /bin/sh. Default: true."),
                    VariableVerbs.IN,
                    Flag.VERBOSE)
            .examples(
                    "cleat var lock -ttl=30s locks/backup ./backup.sh",
                    "cleat var lock -shell=false locks/backup pg_dump -f /backup/db")
            .does(call -> new VariableLocking(call).run());

    private final Call call;
    private final CleatClient client;

    /** When the request was sent that took or renewed the lock last; it holds from then on. */
    private long since;

    private VariableLocking(Call call) throws Failure {
        this.call = call;
        this.client = call.client();
    }

    private int run() throws Failure, UnexpectedAnswer, LinkTrouble, IOException, InterruptedException {
        VariableSpec.Read read = new VariableSpec(call).read();
        List<String> words = read.rest();
        if (words.isEmpty()) {
            throw new Failure("there is no command to run", "give one: cleat var lock PATH COMMAND");
        }
        int retries = call.flags().number(RETRY_FLAG, 0, 1000, USUAL_RETRIES);
        Variable wanted = withLock(read.variable(), new VariableLock("", lockTime(DELAY_FLAG), lockTime(TTL_FLAG)));
        Variable held = acquire(wanted);
        VariableLock lock = held.Lock();
        if (lock == null || lock.ID().isEmpty()) {
            throw new Failure("the answer of the server has no lock");
        }
        // Nothing else is written: what it holds stays.
        Variable shown = Variable.wanted(wanted.Namespace(), wanted.Path(), null, lock);
        Process child = null;
        try (Terminal.Interrupts _ = call.environment().terminal().beforeEnd(() -> release(shown))) {
            tell("Lock of variable " + VisibleText.line(wanted.Path()) + " is held");
            child = start(words);
            int code = watch(child, shown, ttl(lock), retries);
            release(shown);
            return code;
        } finally {
            if (child != null) {
                end(child);
            }
        }
    }

    private String lockTime(String flag) throws Failure {
        String text = call.flags().value(flag).orElse("");
        Optional<Duration> time = VariableValidation.lockTime(text);
        if (time.isEmpty()) {
            throw new Failure(VariableValidation.lockTimeFault("-" + flag, text));
        }
        return Durations.format(time.get().toNanos());
    }

    private static Duration ttl(VariableLock lock) {
        return Duration.ofNanos(Durations.parse(lock.TTL()).orElse(VariableValidation.USUAL_TIME.toNanos()));
    }

    private static Variable withLock(Variable of, VariableLock lock) {
        return Variable.wanted(of.Namespace(), of.Path(), of.Items(), lock);
    }

    private Variable acquire(Variable wanted) throws UnexpectedAnswer, LinkTrouble, InterruptedException {
        boolean isTold = false;
        while (true) {
            try {
                since = call.time().nanos();
                return client.variables().lock(LockCall.ACQUIRE, wanted);
            } catch (UnexpectedAnswer answer) {
                if (VariablesClient.conflict(answer).isEmpty()) {
                    throw answer;
                }
            }
            if (!isTold) {
                call.say("Variable " + wanted.Path() + " is locked: waiting for its lock");
                isTold = true;
            }
            call.time().sleep(LONGEST_PAUSE);
        }
    }

    private Process start(List<String> words) throws IOException {
        boolean isPlain = call.flags()
                .value(SHELL_FLAG)
                .filter(value -> value.equals("false"))
                .isPresent();
        String shell = call.environment().present("SHELL").orElse("/bin/sh");
        List<String> command = isPlain ? words : List.of(shell, "-c", String.join(" ", words));
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.directory(call.environment().directory().toAbsolutePath().toFile());
        return builder.start();
    }

    /** The command's exit code. */
    private int watch(Process child, Variable shown, Duration ttl, int retries) throws Failure, InterruptedException {
        int failures = 0;
        Duration pause = ttl.dividedBy(2);
        while (!child.waitFor(pause.toNanos(), TimeUnit.NANOSECONDS)) {
            long now = call.time().nanos();
            try {
                client.variables().lock(LockCall.RENEW, shown);
                since = now;
                failures = 0;
            } catch (UnexpectedAnswer answer) {
                boolean isLost = VariablesClient.conflict(answer).isPresent();
                failures = failed(isLost ? retries : failures, retries, String.valueOf(answer.getMessage()));
            } catch (LinkTrouble trouble) {
                failures = failed(failures, retries, trouble.reason());
            }
            if (call.time().nanos() - since >= ttl.toNanos()) {
                throw lost("it was not renewed within " + Durations.words(ttl));
            }
            pause = failures == 0 ? ttl.dividedBy(2) : ttl.dividedBy(10);
        }
        return child.exitValue();
    }

    private int failed(int failures, int retries, String why) throws Failure {
        if (failures >= retries) {
            throw lost(why);
        }
        tell("The lock is not renewed: " + why);
        return failures + 1;
    }

    private static Failure lost(String why) {
        return new Failure("the lock is lost, and the command was ended: " + why);
    }

    private void release(Variable shown) {
        try {
            client.variables().lock(LockCall.RELEASE, shown);
            tell("Lock of variable " + VisibleText.line(shown.Path()) + " is given back");
        } catch (UnexpectedAnswer | LinkTrouble notGiven) {
            call.say("The lock is not given back, and ends by itself: " + notGiven.getMessage());
        }
    }

    /** A shell whose command ends first would go on with the next one. */
    private static void end(Process child) throws InterruptedException {
        List<ProcessHandle> below = child.descendants().toList();
        child.destroy();
        below.forEach(ProcessHandle::destroy);
        if (!child.waitFor(TO_END.toNanos(), TimeUnit.NANOSECONDS)) {
            below = child.descendants().toList();
            child.destroyForcibly();
            below.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private void tell(String words) {
        if (call.isVerbose()) {
            call.say(words);
        }
    }
}

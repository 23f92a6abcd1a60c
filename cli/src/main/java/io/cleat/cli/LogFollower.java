package io.cleat.cli;

import io.cleat.api.AllocationsClient;
import io.cleat.api.FileEntry;
import io.cleat.api.LogFrame;
import io.cleat.api.LogStream;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.Deadline;
import io.cleat.base.LinkTrouble;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads a task's output; if it is followed, also past a restart of the agent that has it. */
final class LogFollower {
    private static final String LOGS = "alloc/logs/";
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Call call;
    private final AllocationsClient allocations;
    private final Output output;
    private final boolean follow;
    private @Nullable LogFrame last;
    private long frames;

    /**
     * Whose output it is.
     *
     * @param type {@code stdout} or {@code stderr}
     */
    record Output(String allocId, String task, String type) {
        /** The beginning of its files' names. */
        String prefix() {
            return task + "." + type + ".";
        }
    }

    LogFollower(Call call, AllocationsClient allocations, Output output, boolean follow) {
        this.call = call;
        this.allocations = allocations;
        this.output = output;
        this.follow = follow;
    }

    /**
     * Reads to the end, which comes with the task's if the output is followed.
     *
     * @param offset in bytes from {@code origin}, which is {@code start} or {@code end}
     */
    void read(long offset, String origin, Consumer<LogFrame> to)
            throws UnexpectedAnswer, LinkTrouble, InterruptedException {
        try {
            readOnce(offset, origin, to);
        } catch (LinkTrouble cut) {
            if (!follow || last == null) {
                throw cut;
            }
            goOn(to);
        }
    }

    private void readOnce(long offset, String origin, Consumer<LogFrame> to) throws UnexpectedAnswer, LinkTrouble {
        try (LogStream stream =
                allocations.logs(output.allocId(), output.task(), output.type(), follow, offset, origin)) {
            for (Optional<LogFrame> frame = stream.next(); frame.isPresent(); frame = stream.next()) {
                last = frame.get();
                frames++;
                to.accept(frame.get());
            }
        }
    }

    /** Waits for the agent, and reads on where it was left. */
    private void goOn(Consumer<LogFrame> to) throws UnexpectedAnswer, LinkTrouble, InterruptedException {
        call.say("cleat: the agent went away; going on once it is back");
        Deadline deadline = Deadline.in(call.time(), PATIENCE);
        while (true) {
            call.time().sleep(PAUSE);
            long before = frames;
            try {
                readOnce(here(), "start", to);
                return;
            } catch (LinkTrouble away) {
                // Each time something came it was back in between.
                if (frames > before) {
                    deadline = Deadline.in(call.time(), PATIENCE);
                } else if (deadline.isExpired()) {
                    throw away;
                }
            } catch (UnexpectedAnswer notYet) {
                // It may not have taken over what runs there.
                if (deadline.isExpired()) {
                    throw notYet;
                }
            }
        }
    }

    /** The end of the last frame, counted from the beginning of what is kept now. */
    private long here() throws UnexpectedAnswer, LinkTrouble {
        LogFrame frame = last;
        if (frame == null) {
            return 0;
        }
        long file = number(frame.File().substring(frame.File().lastIndexOf('/') + 1));
        long before = 0;
        boolean isThere = false;
        for (FileEntry each : allocations.files(output.allocId(), LOGS, Params.none())) {
            long number = number(each.Name());
            before += number >= 0 && number < file ? each.Size() : 0;
            isThere |= number == file;
        }
        return isThere ? before + frame.Offset() : 0;
    }

    /** The number of one of the output's files; -1 for any other name. */
    private long number(String name) {
        String digits = name.startsWith(output.prefix())
                ? name.substring(output.prefix().length())
                : "";
        return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : -1;
    }
}

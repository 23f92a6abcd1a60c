package io.cleat.server.decide;

import io.cleat.model.BlockedBy;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationRow;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * What is told of a controller call while it is not settled: what is being done now, and the last words about a try of
 * it, which stay until there are others.
 */
public final class CallProgress {
    static final String STEP = "call";

    /** Between what is being done now and the words about the try before. */
    private static final String BEFORE = "; before that: ";

    private CallProgress() {}

    /** Its plugin has it, and has not answered yet. */
    static BlockedBy sent(OperationRow row, String node, Instant now) {
        String doing = "the plugin is working on "
                + OperationCall.csiName(row.call())
                + " since "
                + now.truncatedTo(ChronoUnit.SECONDS)
                + (row.tries() == 0 ? "" : " (try " + (row.tries() + 1) + ")");
        return new BlockedBy(
                STEP,
                "plugin " + row.pluginId() + " on " + node,
                row.past().firstUnknown(now),
                null,
                doing + said(row).map(words -> BEFORE + words).orElse(""));
    }

    /** Whom it waits for after a try of which {@code words} were said. */
    static String holder(OperationRow row, String words) {
        return begin(row) + words + ")";
    }

    private static String begin(OperationRow row) {
        return "plugin " + row.pluginId() + " (";
    }

    /** The last words about a try of it: the plugin's, or whoever lost sight of it. */
    public static Optional<String> said(OperationRow row) {
        BlockedBy wait = row.blockedBy();
        if (wait == null) {
            return Optional.empty();
        }
        String holder = wait.holder();
        if (holder.startsWith(begin(row)) && holder.endsWith(")")) {
            return Optional.of(holder.substring(begin(row).length(), holder.length() - 1));
        }
        int before = wait.hint().indexOf(BEFORE);
        return before < 0 ? Optional.empty() : Optional.of(wait.hint().substring(before + BEFORE.length()));
    }
}

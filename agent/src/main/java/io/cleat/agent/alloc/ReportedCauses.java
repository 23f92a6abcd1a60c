package io.cleat.agent.alloc;

import java.util.HashSet;
import java.util.Set;

/** What was told already of something that fails again and again, so that each cause is told once. One thread. */
final class ReportedCauses {
    /** A cause with a changing number in its words is not told for ever. */
    static final int MOST = 8;

    private final Set<String> told = new HashSet<>();

    /** Whether this one is to be told, which it then counts as. */
    boolean isNew(String cause) {
        return told.size() < MOST && told.add(cause);
    }
}

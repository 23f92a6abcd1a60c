package io.cleat.model;

import io.cleat.base.Ordered;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What a person wrote for a job. Kept for people to read; nothing follows from it.
 *
 * @param text of the job file; not empty
 * @param format {@code hcl2} or {@code json}
 * @param variableFlags the values of variables that were given one by one
 * @param variables the text of files of variables; empty for none
 */
public record JobSource(String text, String format, Map<String, String> variableFlags, String variables) {
    /** How large one may be that is kept, in bytes: an entry of the log has room for little more. */
    public static final int MOST_BYTES = 512 * 1024;

    public JobSource {
        variableFlags = Ordered.copyOf(variableFlags);
    }

    /** Its size in UTF-8. */
    public long bytes() {
        long bytes = size(text) + size(format) + size(variables);
        for (Map.Entry<String, String> flag : variableFlags.entrySet()) {
            bytes += size(flag.getKey()) + size(flag.getValue());
        }
        return bytes;
    }

    private static long size(String part) {
        return part.getBytes(StandardCharsets.UTF_8).length;
    }
}

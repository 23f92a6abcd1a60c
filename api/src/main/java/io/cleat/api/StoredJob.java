package io.cleat.api;

import org.jspecify.annotations.Nullable;

/**
 * What the server knows of a stored job beside what its user said.
 *
 * @param jobModifyIndex the version of the last change of what the user said
 * @param status {@code pending}, {@code running} or {@code dead}
 * @param submitTime ns since the epoch
 * @param tag of this version; null for none
 */
public record StoredJob(
        long version,
        long createIndex,
        long modifyIndex,
        long jobModifyIndex,
        String status,
        String statusDescription,
        boolean stop,
        boolean stable,
        long submitTime,
        @Nullable JobVersionTag tag) {
    /** One that nobody tagged. */
    public StoredJob(
            long version,
            long createIndex,
            long modifyIndex,
            long jobModifyIndex,
            String status,
            String statusDescription,
            boolean stop,
            boolean stable,
            long submitTime) {
        this(
                version,
                createIndex,
                modifyIndex,
                jobModifyIndex,
                status,
                statusDescription,
                stop,
                stable,
                submitTime,
                null);
    }
}

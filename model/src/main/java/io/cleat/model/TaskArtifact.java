package io.cleat.model;

import io.cleat.base.Ordered;
import java.util.Map;

/**
 * What a node fetches for a task before it starts.
 *
 * @param source from where: a URL, in the words of Nomad's fetcher
 * @param options of the kind of source; {@code checksum} for each
 * @param headers of an HTTP request
 * @param destination where it is put, in the allocation's directory
 * @param chown whether the task's user owns what was fetched
 * @param insecure whether the certificate of the other side is not looked at
 */
public record TaskArtifact(
        String source,
        Map<String, String> options,
        Map<String, String> headers,
        Mode mode,
        String destination,
        boolean chown,
        boolean insecure) {
    public TaskArtifact {
        options = Ordered.copyOf(options);
        headers = Ordered.copyOf(headers);
    }

    /** What the source is taken for. */
    public enum Mode implements WireNamed {
        /** What it looks like: an archive is unpacked into the destination. */
        ANY("any"),
        /** One file, which the destination names. */
        FILE("file"),
        /** A directory. */
        DIR("dir");

        private final String wire;

        Mode(String wire) {
            this.wire = wire;
        }

        @Override
        public String wire() {
            return wire;
        }
    }
}

package io.cleat.artifact;

import io.cleat.base.Refused;
import io.cleat.model.ArtifactSource;
import io.cleat.model.TaskArtifact;
import java.util.Map;

/**
 * One thing to fetch, every reference in it resolved.
 *
 * @param source as in the job
 * @param options beside those in the source's query
 * @param headers of an HTTP request
 * @param insecure whether the certificate of the other side is not looked at
 */
public record Artifact(
        String source,
        Map<String, String> options,
        Map<String, String> headers,
        TaskArtifact.Mode mode,
        boolean insecure) {
    public Artifact {
        options = Map.copyOf(options);
        headers = Map.copyOf(headers);
    }

    ArtifactSource read() throws Refused {
        return ArtifactSource.parse(source, options);
    }

    /** Whether it is a file, directory or repository of the machine. */
    boolean isOfTheMachine() {
        try {
            String location = read().location();
            return location.startsWith("/") || location.startsWith("file:");
        } catch (Refused unreadable) {
            return false;
        }
    }

    /** Its source in words for people. */
    public String shown() {
        try {
            return read().shown();
        } catch (Refused unreadable) {
            return ArtifactSource.shown(source);
        }
    }

    @Override
    public String toString() {
        return shown();
    }
}

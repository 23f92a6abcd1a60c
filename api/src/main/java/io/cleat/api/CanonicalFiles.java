package io.cleat.api;

import static io.cleat.api.Canonical.or;
import static io.cleat.api.Canonical.orElse;

import io.cleat.model.TaskArtifact;
import io.cleat.model.TaskTemplate.ChangeMode;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The part of {@link CanonicalTask} for what is rendered and fetched before a task starts. */
final class CanonicalFiles {
    private static final String HERE = "local/";

    private CanonicalFiles() {}

    static Template template(Template given) {
        return new Template(
                orElse(given.ChangeMode(), ChangeMode.RESTART.wire()),
                script(given.ChangeScript()),
                given.ChangeSignal().toUpperCase(Locale.ROOT),
                given.DestPath(),
                given.EmbeddedTmpl(),
                given.Envvars(),
                given.ErrMissingKey(),
                given.Gid(),
                orElse(given.LeftDelim(), "{{"),
                given.Once(),
                orElse(given.Perms(), "0644"),
                orElse(given.RightDelim(), "}}"),
                given.SourcePath(),
                or(given.Splay(), PolicyDefaults.ns(Duration.ofSeconds(5))),
                given.Uid(),
                0,
                wait(given.Wait()));
    }

    private static @Nullable ChangeScript script(@Nullable ChangeScript given) {
        return given == null
                ? null
                : new ChangeScript(
                        given.Args(),
                        given.Command(),
                        given.FailOnError(),
                        or(given.Timeout(), PolicyDefaults.ns(Duration.ofSeconds(5))));
    }

    private static @Nullable WaitConfig wait(@Nullable WaitConfig given) {
        if (given == null) {
            return null;
        }
        long least = or(given.Min(), 0L);
        return new WaitConfig(or(given.Max(), 4 * least), least);
    }

    static Artifact artifact(Artifact given) {
        String mode = orElse(given.GetterMode(), TaskArtifact.Mode.ANY.wire());
        return new Artifact(
                given.Chown(),
                given.GetterHeaders(),
                given.GetterInsecure(),
                mode,
                given.GetterOptions(),
                given.GetterSource(),
                orElse(
                        given.RelativeDest(),
                        mode.equals(TaskArtifact.Mode.FILE.wire())
                                ? HERE + lastName(given.GetterSource())
                                : HERE));
    }

    /** The name of the file that a URL ends in. */
    private static String lastName(String source) {
        int end = source.indexOf('?');
        String path = (end < 0 ? source : source.substring(0, end)).replaceAll("(?<!/)/++$", "");
        return path.substring(path.lastIndexOf('/') + 1);
    }
}

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
    private static final long FIVE_SECONDS = PolicyDefaults.ns(Duration.ofSeconds(5));

    private CanonicalFiles() {}

    static Template template(Template given) {
        return Edit.of(given)
                .orElse(Template::ChangeMode, ChangeMode.RESTART.wire())
                .orElse(Template::LeftDelim, "{{")
                .orElse(Template::Perms, "0644")
                .orElse(Template::RightDelim, "}}")
                .orElse(Template::Splay, FIVE_SECONDS)
                .set(Template::ChangeScript, script(given.ChangeScript()))
                .set(Template::ChangeSignal, given.ChangeSignal().toUpperCase(Locale.ROOT))
                .set(Template::VaultGrace, 0L)
                .set(Template::Wait, wait(given.Wait()))
                .done();
    }

    private static @Nullable ChangeScript script(@Nullable ChangeScript given) {
        return given == null
                ? null
                : Edit.of(given).orElse(ChangeScript::Timeout, FIVE_SECONDS).done();
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
        String destination = mode.equals(TaskArtifact.Mode.FILE.wire()) ? HERE + lastName(given.GetterSource()) : HERE;
        return Edit.of(given)
                .orElse(Artifact::GetterMode, mode)
                .orElse(Artifact::RelativeDest, destination)
                .done();
    }

    /** The name of the file that a URL ends in. */
    private static String lastName(String source) {
        int end = source.indexOf('?');
        String path = (end < 0 ? source : source.substring(0, end)).replaceAll("(?<!/)/++$", "");
        return path.substring(path.lastIndexOf('/') + 1);
    }
}

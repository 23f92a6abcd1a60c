package io.cleat.api;

import static io.cleat.api.JobConversion.duration;

import io.cleat.model.TaskArtifact;
import io.cleat.model.TaskTemplate;
import org.jspecify.annotations.Nullable;

/** The part of {@link TaskConversion} for what is rendered and fetched before a task starts. */
final class FileConversion {
    private FileConversion() {}

    static TaskTemplate template(Template given) {
        return new TaskTemplate(
                given.SourcePath(),
                given.DestPath(),
                given.EmbeddedTmpl(),
                JobConversion.wire(TaskTemplate.ChangeMode.class, Canonical.or(given.ChangeMode(), "")),
                given.ChangeSignal(),
                script(given.ChangeScript()),
                duration(given.Splay()),
                Canonical.or(given.Perms(), ""),
                owner(given.Uid()),
                owner(given.Gid()),
                Canonical.or(given.LeftDelim(), ""),
                Canonical.or(given.RightDelim(), ""),
                given.Envvars(),
                given.Once(),
                given.ErrMissingKey(),
                wait(given.Wait()));
    }

    static Template template(TaskTemplate given) {
        return new Template(
                given.changeMode().wire(),
                script(given.changeScript()),
                given.changeSignal(),
                given.destination(),
                given.data(),
                given.env(),
                given.errorOnMissingKey(),
                given.gid(),
                given.leftDelimiter(),
                given.once(),
                given.perms(),
                given.rightDelimiter(),
                given.source(),
                given.splay().toNanos(),
                given.uid(),
                0,
                wait(given.gather()));
    }

    /** A negative number says nothing of the owner. */
    private static @Nullable Integer owner(@Nullable Integer given) {
        return given == null || given < 0 ? null : given;
    }

    private static TaskTemplate.@Nullable ChangeScript script(@Nullable ChangeScript given) {
        return given == null
                ? null
                : new TaskTemplate.ChangeScript(
                        given.Command(), given.Args(), duration(given.Timeout()), given.FailOnError());
    }

    private static @Nullable ChangeScript script(TaskTemplate.@Nullable ChangeScript given) {
        return given == null
                ? null
                : new ChangeScript(
                        given.args(),
                        given.command(),
                        given.failOnError(),
                        given.timeout().toNanos());
    }

    private static TaskTemplate.@Nullable Wait wait(@Nullable WaitConfig given) {
        return given == null ? null : new TaskTemplate.Wait(duration(given.Min()), duration(given.Max()));
    }

    private static @Nullable WaitConfig wait(TaskTemplate.@Nullable Wait given) {
        return given == null
                ? null
                : new WaitConfig(given.max().toNanos(), given.min().toNanos());
    }

    static TaskArtifact artifact(Artifact given) {
        return new TaskArtifact(
                given.GetterSource(),
                JobConversion.mapOf(given.GetterOptions()),
                JobConversion.mapOf(given.GetterHeaders()),
                JobConversion.wire(TaskArtifact.Mode.class, Canonical.or(given.GetterMode(), "")),
                Canonical.or(given.RelativeDest(), ""),
                given.Chown(),
                given.GetterInsecure());
    }

    static Artifact artifact(TaskArtifact given) {
        return new Artifact(
                given.chown(),
                JobConversion.orNull(given.headers()),
                given.insecure(),
                given.mode().wire(),
                JobConversion.orNull(given.options()),
                given.source(),
                given.destination());
    }
}

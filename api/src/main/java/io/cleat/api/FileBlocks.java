package io.cleat.api;

import static io.cleat.api.Canonical.or;
import static io.cleat.api.Canonical.orElse;
import static io.cleat.api.JobField.block;
import static io.cleat.api.JobField.duration;
import static io.cleat.api.JobField.flag;
import static io.cleat.api.JobField.number;
import static io.cleat.api.JobField.text;
import static io.cleat.api.JobField.texts;
import static io.cleat.api.JobField.textsByName;

import io.cleat.model.TaskArtifact;
import io.cleat.model.TaskTemplate;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Blocks of a task that say what is rendered and fetched before it starts. */
final class FileBlocks {
    private static final String HERE = "local/";
    private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);

    private static final JobBlock<ChangeScript, TaskTemplate.ChangeScript> CHANGE_SCRIPT = JobBlock.of(
                    "change_script", ChangeScript.class, TaskTemplate.ChangeScript.class)
            .fields(text("Command"), texts("Args"), duration("Timeout").usually(FIVE_SECONDS), flag("FailOnError"))
            .done();

    private static final JobBlock<WaitConfig, TaskTemplate.Wait> WAIT = JobBlock.of(
                    "wait", WaitConfig.class, TaskTemplate.Wait.class)
            .fields(duration("Min"), duration("Max"))
            .filledIn(FileBlocks::gathering)
            .done();

    static final JobBlock<Template, TaskTemplate> TEMPLATE = JobBlock.of("template", Template.class, TaskTemplate.class)
            .fields(
                    text("SourcePath").inFile("source").inModel("source"),
                    text("DestPath")
                            .inFile("destination")
                            .inModel("destination")
                            .needed("Must specify a destination for the template, such as \"local/app.conf\""),
                    text("EmbeddedTmpl").inFile("data").inModel("data"),
                    text("ChangeMode").usually(TaskTemplate.ChangeMode.RESTART),
                    text("ChangeSignal"),
                    block("ChangeScript", CHANGE_SCRIPT),
                    duration("Splay").usually(FIVE_SECONDS).atLeast(0, "Must specify positive splay value"),
                    text("Perms").usually("0644"),
                    number("Uid"),
                    number("Gid"),
                    text("LeftDelim")
                            .inFile("left_delimiter")
                            .inModel("leftDelimiter")
                            .usually("{{"),
                    text("RightDelim")
                            .inFile("right_delimiter")
                            .inModel("rightDelimiter")
                            .usually("}}"),
                    flag("Envvars").inFile("env").inModel("env"),
                    flag("Once"),
                    block("Wait", WAIT).inModel("gather"),
                    flag("ErrMissingKey").inFile("error_on_missing_key").inModel("errorOnMissingKey"),
                    number("VaultGrace").onlyOnWire())
            .taken("uid", given -> owner(given.Uid()))
            .taken("gid", given -> owner(given.Gid()))
            .filledIn(given -> Edit.of(given)
                    .set(Template::ChangeSignal, given.ChangeSignal().toUpperCase(Locale.ROOT))
                    .set(Template::VaultGrace, 0L)
                    .done())
            .done();

    static final JobBlock<Artifact, TaskArtifact> ARTIFACT = JobBlock.of("artifact", Artifact.class, TaskArtifact.class)
            .fields(
                    text("GetterSource").inFile("source").inModel("source").needed("source must be specified"),
                    text("RelativeDest").inFile("destination").inModel("destination"),
                    text("GetterMode").inFile("mode").inModel("mode").usually(TaskArtifact.Mode.ANY),
                    textsByName("GetterOptions").inFile("options").inModel("options"),
                    textsByName("GetterHeaders").inFile("headers").inModel("headers"),
                    flag("GetterInsecure").inFile("insecure").inModel("insecure"),
                    flag("Chown"))
            .filledIn(given -> Edit.of(given)
                    .orElse(Artifact::RelativeDest, destination(given))
                    .done())
            .done();

    private FileBlocks() {}

    private static WaitConfig gathering(WaitConfig given) {
        long least = or(given.Min(), 0L);
        return new WaitConfig(or(given.Max(), 4 * least), least);
    }

    /** A negative number says nothing of the owner. */
    private static @Nullable Integer owner(@Nullable Integer given) {
        return given == null || given < 0 ? null : given;
    }

    private static String destination(Artifact given) {
        boolean isFile = orElse(given.GetterMode(), "").equals(TaskArtifact.Mode.FILE.wire());
        return isFile ? HERE + lastName(given.GetterSource()) : HERE;
    }

    /** The name of the file that a URL ends in. */
    private static String lastName(String source) {
        int end = source.indexOf('?');
        String path = (end < 0 ? source : source.substring(0, end)).replaceAll("(?<!/)/++$", "");
        return path.substring(path.lastIndexOf('/') + 1);
    }
}

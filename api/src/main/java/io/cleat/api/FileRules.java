package io.cleat.api;

import io.cleat.base.Refused;
import io.cleat.model.ArtifactSource;
import io.cleat.model.Signals;
import io.cleat.model.TaskArtifact;
import io.cleat.model.TaskTemplate;
import io.cleat.model.WireNamed;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rules of what is rendered and fetched before a task starts. */
final class FileRules {
    private static final Pattern PERMS = Pattern.compile("[0-7]{3,4}");

    private FileRules() {}

    static void templates(@Nullable List<Template> given, Faults faults) {
        List<Template> templates = JobConversion.listOf(given);
        Map<String, Integer> first = new java.util.HashMap<>();
        for (int i = 0; i < templates.size(); i++) {
            Template template = templates.get(i);
            Faults of = template(template);
            Integer same = first.putIfAbsent(template.DestPath(), i + 1);
            of.addIf(
                    same != null && !template.DestPath().isEmpty(),
                    "destination \""
                            + template.DestPath()
                            + "\" is that of template "
                            + same
                            + " too; give each template its own");
            faults.nest("Template " + (i + 1) + " validation failed", of);
        }
    }

    private static Faults template(Template template) {
        Faults faults = new Faults();
        boolean inline = !template.EmbeddedTmpl().isEmpty();
        boolean file = !template.SourcePath().isEmpty();
        faults.addIf(!inline && !file, "Must specify a source path or have an embedded template: set source or data");
        faults.addIf(
                inline && file, "source and data are both given: remove source, or remove data to render the file");
        FileBlocks.TEMPLATE.check(template, faults);
        path("source", template.SourcePath(), faults);
        path("destination", template.DestPath(), faults);
        change(template, faults);
        String perms = Canonical.or(template.Perms(), "");
        faults.addIf(
                !PERMS.matcher(perms).matches(),
                "Failed to parse perms \"" + perms + "\": expected an octal mode such as \"0644\"");
        String left = Canonical.or(template.LeftDelim(), "");
        faults.addIf(
                left.equals(template.RightDelim()),
                "left_delimiter and right_delimiter are both \"" + left + "\": they must differ");
        WaitConfig wait = template.Wait();
        faults.addIf(
                wait != null
                        && (Canonical.or(wait.Min(), 0L) < 0
                                || Canonical.or(wait.Max(), 0L) < Canonical.or(wait.Min(), 0L)),
                "wait min must not be negative, and not greater than wait max");
        return faults;
    }

    private static void change(Template template, Faults faults) {
        String mode = Canonical.or(template.ChangeMode(), "");
        ChangeScript script = template.ChangeScript();
        switch (WireNamed.find(TaskTemplate.ChangeMode.class, mode).orElse(null)) {
            case null ->
                faults.add("Invalid change mode \"" + mode + "\": must be one of noop, restart, signal, script");
            case NOOP, RESTART -> {}
            case SIGNAL -> {
                faults.addIf(
                        template.ChangeSignal().isEmpty(),
                        "Must specify signal value when change mode is signal: set change_signal");
                faults.addIf(
                        !template.ChangeSignal().isEmpty()
                                && Signals.number(template.ChangeSignal()).isEmpty(),
                        "unknown change_signal \"" + template.ChangeSignal() + "\": give a name such as SIGHUP");
                faults.addIf(
                        template.Envvars(),
                        "Cannot use signals with env var templates: the environment of a running"
                                + " task does not change; use change_mode = \"restart\"");
            }
            case SCRIPT -> {
                faults.addIf(
                        script == null || script.Command().isEmpty(),
                        "Must specify the command of a change_script block when change mode is script");
                faults.addIf(
                        script != null && Canonical.or(script.Timeout(), 0L) <= 0,
                        "the timeout of change_script must be greater than zero");
            }
        }
    }

    static void artifacts(@Nullable List<Artifact> given, Faults faults) {
        List<Artifact> artifacts = JobConversion.listOf(given);
        for (int i = 0; i < artifacts.size(); i++) {
            faults.nest("Artifact " + (i + 1) + " validation failed", artifact(artifacts.get(i)));
        }
    }

    private static Faults artifact(Artifact artifact) {
        Faults faults = new Faults();
        FileBlocks.ARTIFACT.check(artifact, faults);
        String mode = Canonical.or(artifact.GetterMode(), "");
        faults.addIf(
                WireNamed.find(TaskArtifact.Mode.class, mode).isEmpty(),
                "invalid artifact mode \"" + mode + "\"; must be one of: any, file, dir");
        path("destination", Canonical.or(artifact.RelativeDest(), ""), faults);
        source(artifact, faults);
        return faults;
    }

    /** What is read on the node only, when references are resolved, is not judged here. */
    private static void source(Artifact artifact, Faults faults) {
        Map<String, String> options = Canonical.or(artifact.GetterOptions(), Map.of());
        if (artifact.GetterSource().isEmpty()
                || artifact.GetterSource().contains("${")
                || options.values().stream().anyMatch(value -> value.contains("${"))) {
            return;
        }
        try {
            ArtifactSource.parse(artifact.GetterSource(), options);
        } catch (Refused refused) {
            faults.add(refused.refusal().message());
        }
    }

    /** A path that begins in the directory of the task may go as far as that of its allocation. */
    private static void path(String what, String path, Faults faults) {
        int depth = 1;
        for (String part : path.split("/", -1)) {
            depth += part.equals("..") ? -1 : part.isEmpty() || part.equals(".") ? 0 : 1;
            if (depth < 0) {
                faults.add(what
                        + " \""
                        + path
                        + "\" escapes the allocation directory; give a path below the task's, such as "
                        + "\"local/app.conf\"");
                return;
            }
        }
        faults.addIf(path.indexOf('\0') >= 0, what + " cannot include null bytes");
    }
}

package io.cleat.agent.template;

import static io.cleat.agent.template.Arguments.function;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Meter;
import io.cleat.base.Refused;
import io.cleat.base.TemplateTrouble;
import io.cleat.base.Time;
import io.cleat.kernel.FileLook;
import io.cleat.kernel.FileWrites;
import io.cleat.kernel.Place;
import io.cleat.model.TaskTemplate;
import io.cleat.template.Function;
import io.cleat.template.Template;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One rendering of one template: what it gives, and what it is made of. */
final class Rendering {
    private static final Map<String, Function> PURE = pure();

    private final TaskTemplate template;
    private final TaskPlaces places;
    private final TaskFiles files;
    private final Time time;
    private final TemplateInput input;
    private final Map<Place, Optional<FileLook>> read = new LinkedHashMap<>();
    private final VariableFunctions nomad;
    private final ServiceFunctions services;
    private boolean timely;
    private @Nullable String missing;
    private @Nullable Exception trouble;
    private String text = "";
    private final Meter meter = new Meter(RenderingBudget.LIMITS);
    private final Deadline deadline;

    Rendering(TaskTemplate template, TaskPlaces places, TaskFiles files, Time time, TemplateInput input) {
        this.template = template;
        this.places = places;
        this.files = files;
        this.time = time;
        this.input = input;
        this.nomad = new VariableFunctions(input.nomad(), meter);
        this.services = new ServiceFunctions(input.services(), meter);
        this.deadline = Deadline.in(time, RenderingBudget.LONGEST);
    }

    private static Map<String, Function> pure() {
        Map<String, Function> all = new HashMap<>();
        TextFunctions.addTo(all);
        ValueFunctions.addTo(all);
        RefusedFunctions.addTo(all);
        return all;
    }

    /**
     * The text; empty if a file or variable is not there yet that it is made of.
     *
     * @throws TemplateTrouble with the template, the line and the cause
     */
    Optional<String> text() throws TemplateTrouble, InterruptedException {
        try {
            Template.Delimiters delimiters =
                    new Template.Delimiters(template.leftDelimiter(), template.rightDelimiter());
            Template.Options options = new Template.Options(
                    template.errorOnMissingKey() ? Template.Missing.REFUSED : Template.Missing.NOTHING,
                    FileWrites.MOST);
            return Optional.of(Template.parse(name(), kept(source()), delimiters, functions(), meter)
                    .render(Map.of(), options, meter));
        } catch (Refused refused) {
            if (trouble instanceof InterruptedException) {
                throw new InterruptedException();
            }
            if (missing().isPresent()) {
                return Optional.empty();
            }
            String words = nomad.withoutValues(refused.refusal().message(), text);
            throw new TemplateTrouble("Template failed: " + words, refused);
        }
    }

    /** What a message calls it. */
    private String name() {
        return template.source().isEmpty() ? template.destination() : template.source();
    }

    /** What it asked for, as that was just before; also what is not there. */
    MadeOf made() {
        return new MadeOf(read, nomad.read(), services.read());
    }

    /** Whether it says another thing at another time, made of the same. */
    boolean isTimely() {
        return timely;
    }

    /** What it waits for, such as {@code file(PATH)}; empty if for nothing. */
    Optional<String> missing() {
        return Optional.ofNullable(missing)
                .map(path -> "file(" + path + ")")
                .or(nomad::missing)
                .or(services::missing);
    }

    /** To tell what it says itself from what it was given. */
    private String kept(String source) {
        text = source;
        return source;
    }

    private String source() throws Refused {
        if (template.source().isEmpty()) {
            return template.data();
        }
        String path = input.expand().apply(template.source());
        Place place = places.of(path);
        if (look(place).isEmpty()) {
            throw Arguments.wrong("template: "
                    + path
                    + ": there is no such file; an artifact or a prestart task makes it,"
                    + " or data = ... is the template itself");
        }
        return content(place);
    }

    private Map<String, Function> functions() {
        Map<String, Function> all = new HashMap<>(PURE);
        Map<String, String> env = input.variables();
        all.put("env", function(1, 1, "env name", g -> env.getOrDefault(g.text(0), "")));
        all.put(
                "envOrDefault",
                function(2, 2, "envOrDefault name otherwise", g -> env.getOrDefault(g.text(0), g.text(1))));
        all.put("mustEnv", function(1, 1, "mustEnv name", g -> {
            String value = env.get(g.text(0));
            if (value == null) {
                throw Arguments.wrong("the task's environment has no \"" + g.text(0) + "\"");
            }
            return value;
        }));
        nomad.addTo(all);
        services.addTo(all);
        all.put("file", function(1, 1, "file path", g -> file(g.text(0))));
        all.put("timestamp", function(0, 1, "timestamp layout", g -> {
            timely = true;
            return g.count() == 0 ? Timestamps.text(time.now()) : Timestamps.text(time.now(), g.text(0));
        }));
        return all;
    }

    private String file(String path) throws Refused {
        Place place = places.of(path);
        // Looked at first: a change that comes between is seen the next time.
        Optional<FileLook> look = look(place);
        read.putIfAbsent(place, look);
        if (look.isEmpty()) {
            missing = path;
            throw Arguments.wrong("there is no file " + path + " yet");
        }
        return content(place);
    }

    private Optional<FileLook> look(Place place) throws Refused {
        meter.step(RenderingBudget.FILE);
        if (deadline.isExpired()) {
            throw Arguments.wrong(
                    "it has waited for files for more than " + RenderingBudget.LONGEST.toSeconds() + " seconds");
        }
        try {
            return files.look(place);
        } catch (KernelTrouble failed) {
            throw Arguments.wrong(failed.reason());
        } catch (InterruptedException end) {
            throw interrupted(end);
        }
    }

    private String content(Place place) throws Refused {
        try {
            String content = files.read(place);
            meter.make(content.length());
            return content;
        } catch (KernelTrouble failed) {
            throw Arguments.wrong(failed.reason());
        } catch (InterruptedException end) {
            throw interrupted(end);
        }
    }

    /** A template's functions may only refuse; {@link #text} says what it was. */
    private Refused interrupted(InterruptedException end) {
        trouble = end;
        return Arguments.wrong("interrupted");
    }
}

package io.cleat.agent.template;

import io.cleat.base.KernelTrouble;
import io.cleat.base.Refused;
import io.cleat.base.TemplateTrouble;
import io.cleat.base.Time;
import io.cleat.kernel.FileWrites;
import io.cleat.kernel.Place;
import io.cleat.model.TaskTemplate;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One template of a task, its file, and what that is made of. Used by one thread at a time. */
final class RenderedFile {
    private final TaskTemplate template;
    private final TaskPlaces places;
    private final TaskFiles files;
    private final Time time;
    private final RenderingBudget budget;
    private MadeOf made = MadeOf.NOTHING;
    private @Nullable HeldText held;
    private Map<String, String> variables = Map.of();
    private @Nullable Unrest unrest;

    /**
     * A change that is waited out.
     *
     * @param since when its first sign was seen
     * @param quiet when its last sign was
     * @param looks what was seen then
     */
    private record Unrest(long since, long quiet, MadeOf looks) {}

    RenderedFile(TaskTemplate template, TaskPlaces places, TaskFiles files, Time time, RenderingBudget budget) {
        this.budget = budget;
        this.template = template;
        this.places = places;
        this.files = files;
        this.time = time;
    }

    TaskTemplate template() {
        return template;
    }

    boolean isRendered() {
        return held != null;
    }

    /** Whether a file or variable may change that it is made of. */
    boolean isToBeWatched() {
        return !template.once() && !made.isNothing();
    }

    /** The variables that it gives; none if it is a file only. */
    Map<String, String> variables() {
        return variables;
    }

    /** The text that is known; empty also if the heap was too short to keep it. */
    private Optional<String> known() {
        return held == null ? Optional.empty() : held.text();
    }

    /** Faulty variables are said before anything is taken over. */
    private void hold(String text) throws TemplateTrouble {
        try {
            variables = template.env() ? EnvLines.parse(text) : Map.of();
        } catch (Refused refused) {
            throw failed(refused);
        }
        held = new HeldText(text);
    }

    /** Gives its text up, as a short heap does. */
    void giveUpText() {
        if (held != null) {
            held.giveUp();
        }
    }

    /**
     * Renders it, unless the text that is known holds, and writes the file in any case.
     *
     * @param anew whether no text is held on to
     * @return what it waits for, such as {@code file(PATH)}; empty if it is done
     */
    Optional<String> write(TemplateInput input, boolean anew)
            throws TemplateTrouble, KernelTrouble, InterruptedException {
        Optional<String> text = known();
        if (text.isEmpty() || anew || hasChanged(input)) {
            Rendering rendering = rendering(input);
            text = render(rendering);
            if (text.isEmpty()) {
                return rendering.missing();
            }
            hold(text.get());
        }
        put(input, text.get());
        return Optional.empty();
    }

    /**
     * Renders it if that has changed which it is made of, and writes it if it differs then.
     *
     * @return whether it differs; not while it waits for quiet, nor for a file that went
     */
    boolean refresh(TemplateInput input) throws TemplateTrouble, KernelTrouble, InterruptedException {
        if (!isToBeWatched() || !hasChanged(input) || !isQuiet(input)) {
            return false;
        }
        if (held == null) {
            return adopt(input);
        }
        Optional<String> now = render(rendering(input));
        if (now.isEmpty() || held.is(now.get())) {
            return false;
        }
        hold(now.get());
        put(input, now.get());
        return true;
    }

    /**
     * Learns what an earlier agent has rendered, and renders it anew if it would differ now.
     *
     * @return whether it did
     */
    boolean adopt(TemplateInput input) throws TemplateTrouble, KernelTrouble, InterruptedException {
        Rendering rendering = rendering(input);
        Optional<String> now = render(rendering);
        Place file = place(input);
        if (now.isEmpty()) {
            return false;
        }
        String text = now.get();
        hold(text);
        boolean isAsBefore = rendering.isTimely()
                || made.isNothing()
                || (files.look(file).isPresent() && files.read(file).equals(text));
        if (!isAsBefore) {
            put(input, text);
        }
        return !isAsBefore;
    }

    private Rendering rendering(TemplateInput input) {
        return new Rendering(template, places, files, time, input);
    }

    /** Where it fails, what it has read tells when another attempt may give something. */
    private Optional<String> render(Rendering rendering) throws TemplateTrouble, InterruptedException {
        MadeOf before = made;
        unrest = null;
        budget.enter();
        try {
            Optional<String> now = rendering.text();
            before = MadeOf.NOTHING;
            return now;
        } finally {
            budget.leave();
            made = before.and(rendering.made());
        }
    }

    private boolean hasChanged(TemplateInput input) throws KernelTrouble, InterruptedException {
        return !made.now(files, input).equals(made);
    }

    private boolean isQuiet(TemplateInput input) throws KernelTrouble, InterruptedException {
        TaskTemplate.Wait gather = template.gather();
        if (gather == null) {
            return true;
        }
        MadeOf looks = made.now(files, input);
        long now = time.nanos();
        Unrest before = unrest;
        if (before == null || !before.looks().equals(looks)) {
            unrest = new Unrest(before == null ? now : before.since(), now, looks);
        }
        Unrest current = Objects.requireNonNull(unrest);
        return now - current.quiet() >= gather.min().toNanos()
                || now - current.since() >= gather.max().toNanos();
    }

    private Place place(TemplateInput input) throws TemplateTrouble {
        try {
            return places.of(input.expand().apply(template.destination()));
        } catch (Refused refused) {
            throw failed(refused);
        }
    }

    private void put(TemplateInput input, String text) throws TemplateTrouble, KernelTrouble, InterruptedException {
        Integer uid = template.uid();
        Integer gid = template.gid();
        files.write(
                place(input),
                text.getBytes(StandardCharsets.UTF_8),
                new FileWrites.Owner(
                        Integer.parseInt(template.perms(), 8), uid == null ? -1 : uid, gid == null ? -1 : gid));
    }

    private TemplateTrouble failed(Refused refused) {
        return new TemplateTrouble(
                "Template failed: template: "
                        + template.destination()
                        + ": "
                        + refused.refusal().message(),
                refused);
    }
}

package io.cleat.agent.template;

import io.cleat.base.KernelTrouble;
import io.cleat.base.Refused;
import io.cleat.base.TemplateTrouble;
import io.cleat.base.Time;
import io.cleat.kernel.FileLook;
import io.cleat.kernel.FileWrites;
import io.cleat.kernel.Place;
import io.cleat.model.TaskTemplate;
import java.util.HashMap;
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
    private Map<Place, Optional<FileLook>> read = Map.of();
    private @Nullable String text;
    private @Nullable Unrest unrest;

    /**
     * A change that is waited out.
     *
     * @param since when its first sign was seen
     * @param quiet when its last sign was
     * @param looks what was seen then
     */
    private record Unrest(long since, long quiet, Map<Place, Optional<FileLook>> looks) {}

    RenderedFile(TaskTemplate template, TaskPlaces places, TaskFiles files, Time time) {
        this.template = template;
        this.places = places;
        this.files = files;
        this.time = time;
    }

    TaskTemplate template() {
        return template;
    }

    boolean isRendered() {
        return text != null;
    }

    /** Whether a file may change that it is made of. */
    boolean isToBeWatched() {
        return !template.once() && !read.isEmpty();
    }

    /** The variables that it gives; none if it is a file only. */
    Map<String, String> variables() throws TemplateTrouble {
        if (!template.env() || text == null) {
            return Map.of();
        }
        try {
            return EnvLines.parse(text);
        } catch (Refused refused) {
            throw failed(refused);
        }
    }

    /**
     * Renders it, unless the text that is known holds, and writes the file in any case.
     *
     * @param anew whether no text is held on to
     * @return the file that it waits for; empty if it is done
     */
    Optional<String> write(TemplateInput input, boolean anew)
            throws TemplateTrouble, KernelTrouble, InterruptedException {
        if (text == null || anew || hasChanged()) {
            Rendering rendering = rendering(input);
            Optional<String> now = render(rendering);
            if (now.isEmpty()) {
                return rendering.missing();
            }
            text = now.get();
        }
        put(input);
        return Optional.empty();
    }

    /**
     * Renders it if the files have changed that it is made of, and writes it if it differs then.
     *
     * @return whether it differs; not while it waits for quiet, nor for a file that went
     */
    boolean refresh(TemplateInput input)
            throws TemplateTrouble, KernelTrouble, InterruptedException {
        if (!isToBeWatched() || !hasChanged() || !isQuiet()) {
            return false;
        }
        Optional<String> now = render(rendering(input));
        if (now.isEmpty() || now.get().equals(text)) {
            return false;
        }
        text = now.get();
        put(input);
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
        text = now.get();
        boolean isAsBefore =
                rendering.isTimely()
                        || read.isEmpty()
                        || (files.look(file).isPresent() && files.read(file).equals(text));
        if (!isAsBefore) {
            put(input);
        }
        return !isAsBefore;
    }

    private Rendering rendering(TemplateInput input) {
        return new Rendering(template, places, files, time, input);
    }

    /** Where it fails, the files it has read tell when another attempt may give something. */
    private Optional<String> render(Rendering rendering)
            throws TemplateTrouble, InterruptedException {
        Map<Place, Optional<FileLook>> before = new HashMap<>(read);
        unrest = null;
        try {
            Optional<String> now = rendering.text();
            before.clear();
            return now;
        } finally {
            before.putAll(rendering.read());
            read = before;
        }
    }

    private boolean hasChanged() throws KernelTrouble, InterruptedException {
        for (Map.Entry<Place, Optional<FileLook>> each : read.entrySet()) {
            if (!files.look(each.getKey()).equals(each.getValue())) {
                return true;
            }
        }
        return false;
    }

    private boolean isQuiet() throws KernelTrouble, InterruptedException {
        TaskTemplate.Wait gather = template.gather();
        if (gather == null) {
            return true;
        }
        Map<Place, Optional<FileLook>> looks = new HashMap<>();
        for (Place place : read.keySet()) {
            looks.put(place, files.look(place));
        }
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

    private void put(TemplateInput input)
            throws TemplateTrouble, KernelTrouble, InterruptedException {
        // Faulty variables are said before their file is there.
        variables();
        Integer uid = template.uid();
        Integer gid = template.gid();
        files.write(
                place(input),
                Objects.requireNonNull(text),
                new FileWrites.Owner(
                        Integer.parseInt(template.perms(), 8),
                        uid == null ? -1 : uid,
                        gid == null ? -1 : gid));
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

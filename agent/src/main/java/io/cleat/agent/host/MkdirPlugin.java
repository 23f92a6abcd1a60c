package io.cleat.agent.host;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.TextRule;
import io.cleat.base.Time;
import io.cleat.kernel.FileWrites.Owner;
import io.cleat.kernel.Paths;
import io.cleat.kernel.Place;
import io.cleat.kernel.TextPath;
import io.cleat.model.HostVolumeSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The built-in plugin: a directory below one of the agent's. Its size is bounded by nothing. */
final class MkdirPlugin implements HostPlugin {
    /** As tools know it. */
    static final String VERSION = "0.0.1";

    private static final Duration WITHIN = Duration.ofSeconds(60);
    private static final Pattern MODE = Pattern.compile("[0-3]?[0-7]{3}");
    private static final int OWNER_ONLY = 0700;

    /** Whom tasks run as that name no user; 65534 is the kernel's own number for nobody. */
    private static final int NOBODY = 65534;

    private static final long LARGEST_ID = 4_294_967_294L;

    private final Path root;
    private final Paths paths;
    private final Clearing clearing;
    private final Time time;

    /** Removes a directory with all that is in it; never across a mount. */
    @FunctionalInterface
    interface Clearing {
        void tree(Place directory, Deadline deadline) throws KernelTrouble, InterruptedException;
    }

    /** @param root the agent's alone, without links on the way to it */
    MkdirPlugin(Path root, Paths paths, Clearing clearing, Time time) {
        this.root = root;
        this.paths = paths;
        this.clearing = clearing;
        this.time = time;
    }

    @Override
    public Made make(HostVolumeSpec spec) throws KernelTrouble, InterruptedException {
        Owner owner = owner(spec.parameters());
        Place place = place(spec);
        Deadline deadline = Deadline.in(time, WITHIN);
        paths.makeDirectory(place, OWNER_ONLY, deadline);
        paths.give(place, owner, Collections.emptyNavigableSet(), deadline);
        return new Made(place.toString(), 0);
    }

    @Override
    public void delete(HostVolumeSpec spec, String path) throws KernelTrouble, InterruptedException {
        clearing.tree(place(spec), Deadline.in(time, WITHIN));
    }

    /** An id is a directory's name, whatever is in it. */
    private Place place(HostVolumeSpec spec) {
        return Place.of(root, root.resolve(TextPath.encoded(spec.id())));
    }

    private static Owner owner(Map<String, String> parameters) throws KernelTrouble {
        for (String name : new TreeSet<>(parameters.keySet())) {
            if (!Set.of("mode", "uid", "gid").contains(name)) {
                throw invalid("it has no parameter " + TextRule.quoted(name) + ": use mode, uid or gid");
            }
        }
        String mode = parameters.getOrDefault("mode", "0700");
        if (!MODE.matcher(mode).matches()) {
            throw invalid("mode " + TextRule.quoted(mode) + " is not octal digits from 000 to 3777, such as \"0750\"");
        }
        return new Owner(Integer.parseInt(mode, 8), id(parameters, "uid"), id(parameters, "gid"));
    }

    private static int id(Map<String, String> parameters, String name) throws KernelTrouble {
        String text = parameters.get(name);
        if (text == null) {
            return NOBODY;
        }
        boolean isNumber =
                !text.isEmpty() && text.length() <= 10 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!isNumber || Long.parseLong(text) > LARGEST_ID) {
            throw invalid(name + " " + TextRule.quoted(text) + " is not a number from 0 to " + LARGEST_ID);
        }
        return (int) Long.parseLong(text);
    }

    private static KernelTrouble invalid(String why) {
        return new KernelTrouble("host volume plugin mkdir: " + why, Effect.NONE, Retry.NEVER);
    }
}

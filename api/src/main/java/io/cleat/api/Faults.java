package io.cleat.api;

import java.util.ArrayList;
import java.util.List;

/** What is wrong with an object, all at once, in the wording the wire uses for several errors. */
public final class Faults {
    private final List<String> faults = new ArrayList<>();

    Faults() {}

    void add(String fault) {
        faults.add(fault);
    }

    void addIf(boolean isWrong, String fault) {
        if (isWrong) {
            faults.add(fault);
        }
    }

    /** What is wrong inside a part, as one fault of the whole; nothing if the part is right. */
    void nest(String title, Faults inner) {
        if (!inner.isEmpty()) {
            faults.add(title + ": " + render(inner.faults));
        }
    }

    boolean isEmpty() {
        return faults.isEmpty();
    }

    List<String> list() {
        return List.copyOf(faults);
    }

    /** One text for all: {@code 2 errors occurred:}, and each on a line of its own. */
    public static String render(List<String> faults) {
        String head = faults.size() == 1 ? "1 error occurred:" : faults.size() + " errors occurred:";
        StringBuilder text = new StringBuilder(head);
        for (String fault : faults) {
            text.append("\n\t* ").append(fault);
        }
        return text.append("\n\n").toString();
    }
}

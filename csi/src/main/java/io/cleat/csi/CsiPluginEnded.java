package io.cleat.csi;

/** The plugin ended during the call: now, or so often before that the call was not made now. */
public final class CsiPluginEnded extends CsiTrouble {
    private static final long serialVersionUID = 1;

    private final boolean withheld;
    private final boolean news;

    CsiPluginEnded(Details details, boolean withheld, boolean news) {
        super(details);
        this.withheld = withheld;
        this.news = news;
    }

    /** Whether the call is not made again before a person restarts or replaces the plugin. */
    public boolean isWithheld() {
        return withheld;
    }

    /** Whether it was not said before. */
    public boolean isNews() {
        return news;
    }
}

package io.cleat.cli;

import io.cleat.api.CleatClient;
import io.cleat.api.Json;
import io.cleat.api.LocalToken;
import io.cleat.api.ServerAddress;
import io.cleat.base.Secret;
import io.cleat.base.Time;
import io.cleat.base.VisibleText;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** One run of a verb: what was asked, and where the answer goes. */
final class Call {
    private final Flags flags;
    private final PrintWriter out;
    private final PrintWriter err;
    private final Environment environment;
    private final Connection connection;
    private final boolean colours;

    Call(Flags flags, PrintWriter out, PrintWriter err, Environment environment) {
        this.flags = flags;
        this.out = out;
        this.err = err;
        this.environment = environment;
        this.connection = Connection.of(flags, environment);
        this.colours = colours(flags, environment);
    }

    /** Flags win over the environment; without either it is the terminal that decides. */
    private static boolean colours(Flags flags, Environment environment) {
        if (flags.has("no-color")) {
            return false;
        }
        if (flags.has("force-color")) {
            return true;
        }
        if (environment.present("NO_COLOR").isPresent()
                || environment.setting("CLI_NO_COLOR").isPresent()) {
            return false;
        }
        return environment.setting("CLI_FORCE_COLOR").isPresent()
                || environment.terminal().showsColour();
    }

    Flags flags() {
        return flags;
    }

    Environment environment() {
        return environment;
    }

    Connection connection() {
        return connection;
    }

    /** The cluster, at the address and in the namespace that were asked for. */
    CleatClient client() throws Failure {
        return clientIn(connection.namespace());
    }

    /** The cluster, but asked about {@code namespace}: that of an object which was found. */
    CleatClient clientIn(String namespace) throws Failure {
        ServerAddress where = connection.where();
        return new CleatClient(where, new CleatClient.Options(namespace, connection.region(), token(where)));
    }

    /** What was given; else what an agent of this machine left for its owner. */
    private Secret token(ServerAddress where) {
        Secret given = new Secret(connection.token());
        return connection.token().isEmpty()
                ? LocalToken.find(environment.agents(), where).orElse(given)
                : given;
    }

    /** The namespace, if the user named one by flag or environment. */
    Optional<String> namedNamespace() {
        return flags.value("namespace").filter(value -> !value.isEmpty()).or(() -> environment.setting("NAMESPACE"));
    }

    boolean isColoured() {
        return colours;
    }

    Time time() {
        return environment.time();
    }

    Instant now() {
        return environment.time().now();
    }

    ZoneId zone() {
        return environment.zone();
    }

    boolean isVerbose() {
        return flags.has(Flag.VERBOSE);
    }

    /** The id, short unless {@code -verbose} was given. */
    String id(String id) {
        return Human.id(id, isVerbose());
    }

    /** The argument at {@code index}, which the verb's description says is there. */
    String argument(int index) {
        return flags.rest().get(index);
    }

    List<String> arguments() {
        return flags.rest();
    }

    /** The first argument, when there is one. */
    Optional<String> argument() {
        List<String> rest = flags.rest();
        return rest.isEmpty() ? Optional.empty() : Optional.of(rest.getFirst());
    }

    /** Prints lines of the answer; what is in them of others does nothing to the terminal. */
    void out(String text) {
        out.print(TerminalText.answer(text, colours));
        out.print('\n');
    }

    /**
     * Prints a text that somebody wrote: as it is into a file or to another program, on a terminal as {@link #out}
     * does.
     */
    void text(String text) {
        if (showsPerson()) {
            out(text);
        } else {
            raw(text + "\n");
        }
    }

    /** Whether a person sees what is printed, who did not ask for it as it is. */
    boolean showsPerson() {
        return environment.terminal().showsColour() && !flags.has(Flag.RAW.name());
    }

    /** Prints lines of the answer that somebody may be waiting for. */
    void outNow(String text) {
        out(text);
        out.flush();
    }

    /** Prints a piece of the answer as it is, at once. */
    void raw(String text) {
        out.print(text);
        out.flush();
    }

    /** Where an answer goes that is no text; what was printed before is there already. */
    OutputStream bytes() {
        out.flush();
        return environment.terminal().output();
    }

    /** A title as this terminal shows titles. */
    String title(String text) {
        String line = VisibleText.line(text);
        return colours ? "\u001b[1m" + line + "\u001b[0m" : line;
    }

    /** Prints a part of the answer under its title, set off from what is above; nothing if empty. */
    void section(String title, String text) {
        if (!text.isEmpty()) {
            out("\n" + title(title) + "\n" + text);
        }
    }

    /** Prints a line of talk: progress, hints, errors. Shown at once. */
    void say(String text) {
        err.print(VisibleText.lines(text) + "\n");
        err.flush();
    }

    /** Prints a question; the cursor stays behind it. */
    void ask(String text) {
        err.print(VisibleText.lines(text));
        err.flush();
    }

    /**
     * Prints {@code value} as the flags want it for machines.
     *
     * @return false when they want it for people
     */
    boolean machine(Object value) throws Failure {
        Optional<String> template = flags.value(Flag.TEMPLATE.name());
        boolean json = flags.has(Flag.JSON);
        if (json && template.isPresent()) {
            throw new Failure("-json and -t exclude each other: give one of them");
        }
        if (template.isPresent()) {
            text(TemplateOutput.of(template.get(), value));
        } else if (json) {
            json(value);
        }
        return isForMachines();
    }

    /** Whether {@link #machine} prints. */
    boolean isForMachines() {
        return flags.has(Flag.JSON) || flags.value(Flag.TEMPLATE.name()).isPresent();
    }

    /** Prints {@code value} as JSON, with what cannot be seen as its escapes. */
    void json(Object value) {
        raw(VisibleText.lines(new String(Json.writePretty(value), StandardCharsets.UTF_8)));
    }
}

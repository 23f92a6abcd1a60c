package io.cleat.cli;

import java.util.List;

/**
 * One flag of a verb or a program.
 *
 * @param name without the dash
 * @param placeholder what its value is called in the help; empty for a switch
 * @param kind how often and with what it may be given
 * @param about one or two sentences for the help
 */
public record Flag(String name, String placeholder, Kind kind, String about) {
    /** How often a flag may be given, and with what. */
    public enum Kind {
        /** {@code -json}, or {@code -json=false}. */
        SWITCH,
        /** {@code -name}, or {@code -name=value}. */
        OPTIONAL,
        /** {@code -name=value} or {@code -name value}; the last one counts. */
        VALUE,
        /** As a value, and each one counts. */
        REPEATED
    }

    public static Flag yes(String name, String about) {
        return new Flag(name, "", Kind.SWITCH, about);
    }

    /** A switch that may have a value; without one its value is empty. */
    public static Flag optional(String name, String placeholder, String about) {
        return new Flag(name, placeholder, Kind.OPTIONAL, about);
    }

    public static Flag value(String name, String placeholder, String about) {
        return new Flag(name, placeholder, Kind.VALUE, about);
    }

    public static Flag repeated(String name, String placeholder, String about) {
        return new Flag(name, placeholder, Kind.REPEATED, about);
    }

    /** The flags every verb takes. */
    static final List<Flag> GENERAL = List.of(
            value(
                    "address",
                    "url",
                    "Where the agent listens: http://HOST:PORT or unix:///PATH."
                            + " Default: CLEAT_ADDR, NOMAD_ADDR, else http://127.0.0.1:4646."),
            value("region", "name", "The region to ask. Also CLEAT_REGION, NOMAD_REGION."),
            value("namespace", "name", "The namespace to ask; * lists all. Also CLEAT_NAMESPACE, NOMAD_NAMESPACE."),
            value("token", "secret", "The access token. Also CLEAT_TOKEN, NOMAD_TOKEN."),
            yes("no-color", "No colours. Also NO_COLOR."),
            yes("force-color", "Colours though the output is no terminal."));

    static final Flag JSON = yes("json", "Print the answer as JSON.");
    static final Flag TEMPLATE = value(
            "t",
            "template",
            "Print the answer through a template of Go's: {{.ID}}, {{range .}}...{{end}},"
                    + " {{if eq .Status \"running\"}}...{{end}}, {{len .}}.");
    static final Flag RAW = yes("raw", "On a terminal, print control sequences as they are; else only colours are.");

    static final Flag VERBOSE = yes("verbose", "Print full ids and more detail.");
    static final Flag SHORT = yes("short", "Print only the summary.");
    static final Flag DETACH = yes("detach", "Do not wait for the evaluation; print its id and return.");
}

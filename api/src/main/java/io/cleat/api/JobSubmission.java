package io.cleat.api;

import java.util.Map;

/**
 * The text that a job was submitted as.
 *
 * @param Format {@code hcl2} or {@code json}
 * @param VariableFlags the values of variables given one by one
 * @param Variables the text of files of variables
 */
public record JobSubmission(String Source, String Format, Map<String, String> VariableFlags, String Variables) {}

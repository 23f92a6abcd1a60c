/**
 * Text from templates, in the syntax of Go's {@code text/template}: what job files and the command line's {@code -t}
 * are written in. The whole language, over plain values.
 *
 * <p>Receives: a template's text, functions, and values ({@code null}, booleans, numbers, texts, lists, maps by text).
 * Hands on: text. Runs on: the caller's thread; keeps nothing. If it fails: a {@link io.cleat.base.Refused} with line
 * and column; nothing is half rendered.
 */
@NullMarked
package io.cleat.template;

import org.jspecify.annotations.NullMarked;

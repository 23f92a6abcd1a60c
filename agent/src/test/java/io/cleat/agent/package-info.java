@NullMarked
package io.cleat.agent;

import org.jspecify.annotations.NullMarked;

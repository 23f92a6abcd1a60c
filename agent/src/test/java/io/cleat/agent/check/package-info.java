@NullMarked
package io.cleat.agent.check;

import org.jspecify.annotations.NullMarked;

import Foundation
import Synchronization

/// The progress of long work: a bar on a terminal, a line per phase elsewhere.
final class ProgressBar: Sendable {
    private struct State {
        var phase = ""
        var drawn = ""
        var lastDraw = ContinuousClock.Instant.now
        var lastLine = ContinuousClock.Instant.now
    }

    private let terminal: Terminal
    private let isQuiet: Bool
    private let state = Mutex(State())

    /// A quiet bar draws nothing at all, for `--json`.
    init(on terminal: Terminal, isQuiet: Bool) {
        self.terminal = terminal
        self.isQuiet = isQuiet
    }

    /// Shows the progress in a phase, from 0 to 1; draws at most ten times a second.
    ///
    /// `detail`, such as a rate, appears next to the bar; if the output is not a terminal, it is printed as
    /// a line every ten seconds.
    func update(_ phase: String, fraction: Double, detail: String = "") {
        guard !isQuiet else { return }
        state.withLock { state in
            let isNew = state.phase != phase
            let now = ContinuousClock.Instant.now
            guard terminal.showsProgress else {
                if isNew {
                    terminal.remark(phase)
                    state.lastLine = now
                } else if !detail.isEmpty, now - state.lastLine > .seconds(10) {
                    terminal.remark("\(phase) \(Int(fraction * 100))%, \(detail)")
                    state.lastLine = now
                }
                state.phase = phase
                return
            }
            guard isNew || fraction >= 1 || now - state.lastDraw > .milliseconds(100) else {
                return
            }
            state.phase = phase
            state.lastDraw = now
            let line = bar(phase, fraction: fraction, detail: detail)
            guard line != state.drawn else { return }
            state.drawn = line
            terminal.draw("\r\u{1B}[2K" + line)
        }
    }

    /// Prints a remark on a line of its own; the bar continues below it.
    func remark(_ text: String) {
        guard !isQuiet else { return }
        finish()
        terminal.remark(text)
    }

    /// Removes the bar, so that the result stands alone.
    func finish() {
        state.withLock { state in
            guard !state.drawn.isEmpty else { return }
            terminal.draw("\r\u{1B}[2K")
            state.drawn = ""
        }
    }

    private func bar(_ phase: String, fraction: Double, detail: String) -> String {
        let share = min(max(fraction, 0), 1)
        let taken = phase.count + (detail.isEmpty ? 0 : detail.count + 2)
        let room = max(min(terminal.width - taken - 8, 40), 10)
        let filled = Int((Double(room) * share).rounded(.down))
        let blocks =
            String(repeating: "━", count: filled) + String(repeating: "╌", count: room - filled)
        let percent = String(Int(share * 100))
        return "\(phase) \(terminal.style.good(blocks)) "
            + String(repeating: " ", count: 3 - percent.count) + percent + "%"
            + (detail.isEmpty ? "" : "  \(detail)")
    }
}

import HTTPServing
import NIOCore
import Releases
import Store

/// Sends one listener's events over its connection; its state lives on the connection's event loop.
final class EventOutlet: Sendable {
    /// What a listener receives.
    struct News: Sendable {
        let piece: LiveBody.Piece
        /// The position of the event; nil for what is no event in the journal.
        var cursor: ActivityCursor?
        /// Whether the listener's access has ended, and its stream ends with this.
        var isLast = false
    }

    private struct State {
        /// What has not been sent yet, the oldest first.
        var waiting: [News] = []
        /// Whether everything that the listener had missed was sent, and what follows may be.
        var isOpen = false
        var isEnded = false
        /// Whether ``drain()`` is at work: what it writes can change at once whether more can be written.
        var isDraining = false
        /// The position up to which the listener knows everything; nil if its page named none.
        var known: ActivityCursor?
        /// Resumes the connection's task, which waits in ``send(after:)``.
        var task: CheckedContinuation<Void, Never>?
    }

    /// The most events that may wait for a listener; a slower one is disconnected, and reconnects with the
    /// position that it knows.
    private static let mostWaiting = 256

    private let body: LiveBody
    private let state: NIOLoopBoundBox<State>

    /// - Parameter context: the context of the listener's request.
    init(_ context: RouteContext) {
        body = LiveBody(on: context.channel, counting: context.transfer)
        state = .makeBoxSendingValue(State(), eventLoop: context.channel.eventLoop)
    }

    /// The event loop of the connection.
    var loop: any EventLoop { body.loop }

    /// Sends what listeners receive, with one change of threads for all that share an event loop.
    static func deliver(_ all: [(EventOutlet, News)]) {
        for (_, some) in Dictionary(grouping: all, by: { ObjectIdentifier($0.0.loop) }) {
            some.first?.0.loop.execute {
                for (outlet, news) in some { outlet.receive(news) }
            }
        }
    }

    /// Sends events as they arrive, until the stream ends or the connection closes.
    ///
    /// - Parameter known: the position up to which the listener knows everything; nil if its page named none.
    func send(after known: ActivityCursor?) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { task in
                loop.execute { self.open(known, task) }
            }
        } onCancel: {
            end()
        }
    }

    /// Ends the stream, from any thread.
    func end() {
        loop.execute { self.finish() }
    }

    private func open(_ known: ActivityCursor?, _ task: CheckedContinuation<Void, Never>) {
        guard !state.value.isEnded,
            body.begin(
                canWrite: { [weak self] in self?.drain() },
                connectionEnded: { [weak self] in self?.end() },
            )
        else {
            state.value.isEnded = true
            return task.resume()
        }
        state.value.known = known
        state.value.task = task
        state.value.isOpen = true
        drain()
    }

    private func receive(_ news: News) {
        guard !state.value.isEnded else { return }
        guard state.value.waiting.count < Self.mostWaiting else { return finish() }
        state.value.waiting.append(news)
        if state.value.isOpen { drain() }
    }

    private func drain() {
        guard !state.value.isEnded, !state.value.isDraining, !state.value.waiting.isEmpty else {
            return
        }
        state.value.isDraining = true
        defer { state.value.isDraining = false }
        var sent = 0
        for news in state.value.waiting {
            if let known = state.value.known, news.cursor?.isNotAfter(known) == true {
                sent += 1
                continue
            }
            guard body.write(news.piece) else { break }
            sent += 1
            if news.isLast { return finish() }
        }
        state.value.waiting.removeFirst(sent)
    }

    private func finish() {
        state.value.isEnded = true
        state.value.waiting = []
        body.end()
        state.value.task?.resume()
        state.value.task = nil
    }
}

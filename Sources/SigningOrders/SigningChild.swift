import Bytes
import Essentials
package import Problems
import Sandboxing

/// The child process of ``SigningProcess``: `ota sign --request -`.
package enum SigningChild {
    /// Confines this process, reads one order from standard input, executes it and writes reports to
    /// standard output.
    ///
    /// Every refusal, including a failed confinement, is reported.
    ///
    /// - Parameter work: executes the order; its second argument reports the number of completed parts,
    ///   and the total.
    /// - Returns: whether the order was executed.
    /// - Throws: errors of writing to standard output.
    package static func run<Result: Codable & Sendable>(
        _ work: (SigningOrder, _ progress: (Int, Int) throws -> Void) throws -> Result
    ) throws -> Bool {
        let report: SigningReport<Result>
        do {
            try Confinement.denyNetworkAndPrograms()
            let order = try readOrder()
            guard Confinement.end(with: order.giver) else { throw SigningOrderRefusal.noReader }
            let result = try work(order) { done, total in
                try send(SigningReport<Result>.progress(done: done, total: total))
            }
            report = .signed(result)
        } catch {
            report = .refused(Problem(error))
        }
        try send(report)
        if case .signed = report { return true }
        return false
    }

    /// Reads up to the first line feed.
    private static func readOrder() throws(SigningOrderRefusal) -> SigningOrder {
        var line: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while line.last != UInt8(ascii: "\n") {
            let count = unsafe read(STDIN_FILENO, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .noOrder }
            line += piece[..<count]
            guard line.count <= SigningOrder.sizeLimit else {
                throw .tooLarge(limit: SigningOrder.sizeLimit)
            }
        }
        do {
            return try OrderCoding.decoder.decode(SigningOrder.self, from: Data(line))
        } catch {
            // The decoder's error may quote the order, which contains a private key.
            throw .noOrder
        }
    }

    private static func send(_ report: SigningReport<some Codable & Sendable>) throws {
        let line = try report.line()
        var done = 0
        while done < line.count {
            let count = unsafe line.withUnsafeBytes { bytes in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
                return unsafe write(STDOUT_FILENO, rest.baseAddress, rest.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SigningOrderRefusal.noReader }
            done += count
        }
    }
}

/// Why an order cannot be executed.
package enum SigningOrderRefusal: ReportableError, Equatable {
    /// Standard input ended before a line feed, or the line is not an order.
    case noOrder
    case tooLarge(limit: Int)
    /// The parent process does not read the reports.
    case noReader

    package var description: String {
        switch self {
        case .noOrder: "standard input has no signing order"
        case .tooLarge(let limit): "the order is longer than \(limit.grouped) bytes"
        case .noReader: "standard output was closed before the answer was written"
        }
    }
}

extension SigningOrderRefusal {
    package var id: String {
        switch self {
        case .noOrder: "signing-order.malformed"
        case .tooLarge: "signing-order.too-large"
        case .noReader: "signing-order.no-reader"
        }
    }

    package var kind: Problem.Kind { .malformed }
    package var fix: String { "use `ota sign`; the option --request is for the server" }
}

import Symbolication
import Symbols

/// A crash report with names.
struct SymbolicateResult: CommandResult {
    let result: SymbolicatedReport

    func text(style: Style) -> String { result.text }

    struct Document: Encodable {
        struct Name: Encodable {
            let function: String
            let file: String?
            let line: Int?
            let inlined: Bool
        }

        struct Frame: Encodable {
            let image: String?
            let offset: UInt64
            let address: UInt64?
            /// The symbol in the original report.
            let symbol: String?
            /// Innermost first; empty if no dSYM matches the image.
            let names: [Name]
        }

        struct Thread: Encodable {
            let number: Int
            let title: String
            let crashed: Bool
            let frames: [Frame]
            /// The number of further frames that were left out to limit the report's length; absent if none
            /// were.
            let framesLeftOut: Int?
        }

        struct Image: Encodable {
            let name: String
            let uuid: String?
            let architecture: String
            /// `named`, `missing`, `system`, `unidentified` or `failed`.
            let state: String
            /// The dSYM, or why it could not be used.
            let detail: String?
        }

        struct Fact: Encodable {
            let label, value: String
        }

        let schema = 1
        let facts: [Fact]
        let notes: [String]
        let exception: [Frame]
        /// As in ``Thread``.
        let exceptionLeftOut: Int?
        let threads: [Thread]
        /// The images of the frames.
        let images: [Image]
        /// The number of frames outside of the system, and how many of them have a name.
        let frames, named: Int
    }

    var document: Document {
        let report = result.report
        let count = result.count
        let extent = result.extent
        return Document(
            facts: report.facts.map { .init(label: $0.label, value: $0.value) },
            notes: report.notes,
            exception: frames(report.exceptionFrames, extent.exception),
            exceptionLeftOut: Self.leftOut(report.exceptionFrames, extent.exception),
            threads: zip(report.threads, extent.threads).map { thread, shown in
                .init(
                    number: thread.number,
                    title: thread.title,
                    crashed: thread.isCrashed,
                    frames: frames(thread.frames, shown),
                    framesLeftOut: Self.leftOut(thread.frames, shown),
                )
            },
            images: result.imageStandings.map { image, standing in
                .init(
                    name: image.name,
                    uuid: image.uuid.map { "\($0)" },
                    architecture: image.architecture,
                    state: standing.word,
                    detail: standing.detail,
                )
            },
            frames: count.all,
            named: count.named,
        )
    }

    private static func leftOut(_ stack: [CrashReport.Frame], _ shown: Int) -> Int? {
        stack.count > shown ? stack.count - shown : nil
    }

    private func frames(_ stack: [CrashReport.Frame], _ count: Int) -> [Document.Frame] {
        func shown(_ name: String) -> String { SymbolicatedReport.shown(name) }
        return stack.prefix(count).enumerated().map { position, frame in
            Document.Frame(
                image: frame.image.map { shown(result.report.images[$0].name) },
                offset: frame.offset,
                address: frame.address,
                symbol: frame.symbol.map(shown),
                names: result.names(of: frame, at: position).map {
                    .init(
                        function: shown($0.function),
                        file: $0.file.map(shown),
                        line: $0.line,
                        inlined: $0.isInlined,
                    )
                },
            )
        }
    }
}

extension SymbolicatedReport.Standing {
    fileprivate var word: String {
        switch self {
        case .named: "named"
        case .missing: "missing"
        case .ofSystem: "system"
        case .unidentified: "unidentified"
        case .failed: "failed"
        }
    }

    fileprivate var detail: String? {
        switch self {
        case .named(let name): name
        case .failed(let reason): reason
        case .missing, .ofSystem, .unidentified: nil
        }
    }
}

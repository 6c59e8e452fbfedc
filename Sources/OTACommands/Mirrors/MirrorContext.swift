import Cryptography
import Foundation
import Mirrors
import Releases
import Store

extension StoreOptions {
    /// The context of work on the store's mirrors.
    func mirrors(of store: OTAStore, in context: CommandContext) throws -> MirrorContext {
        var place = try MirrorContext(
            of: store,
            surroundings: context.environment,
            clock: context.now,
        )
        place.signer = store.signer(
            openingWith: SealingKeyFile(option: nil, environment: context.environment)
        )
        return place
    }
}

/// Makes a build's output safe for a terminal.
enum LogOutput {
    static func plain(_ bytes: [UInt8]) -> String {
        // By bytes, because a carriage return and a line feed form one character.
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { line in
                let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
                return line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
                    .map { String(decoding: $0, as: UTF8.self).printable }
                    .joined(separator: "\t")
            }
            .joined(separator: "\n")
    }
}

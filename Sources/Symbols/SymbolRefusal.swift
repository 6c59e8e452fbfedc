import Bytes
package import Problems

/// Why symbols are refused.
package enum SymbolRefusal: ReportableError, Equatable {
    /// There is no dSYM in the source.
    case none(String)
    /// A file in a dSYM contains no symbols.
    case notSymbols(String, reason: String)
    case tooLarge(String, limit: Int)
    case tooMany(limit: Int)
    case unreadable(String, reason: String)
    /// None of the dSYMs belongs to a program of the release.
    case unmatched([String])
    /// The release has no symbols with this UUID.
    case unknown
    /// The release's IPA was replaced in the meantime.
    case replaced
    /// The release's IPA has no readable program.
    case noPrograms
    /// A publisher sends more archives at the same time than allowed.
    case tooManyAtOnce(limit: Int)
    /// The archive arrives too slowly; with the minimum rate in bytes per second.
    case tooSlow(rate: Int)
}

extension SymbolRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .none: "no dSYM was found"
        case .notSymbols(_, let reason): "this file has no debug symbols: \(reason)"
        case .tooLarge(_, let limit): "the file has more than \(limit.grouped) bytes"
        case .tooMany(let limit): "there are more than \(limit) dSYMs or files"
        case .unreadable(_, let reason): "the file cannot be read: \(reason)"
        case .unmatched(let names):
            "no dSYM matches a binary of the build: \(quoted: Array(names.prefix(5)))"
        case .unknown: "the release has no dSYM with this UUID"
        case .replaced: "the file of the release was replaced in the meantime"
        case .noPrograms: "the release has no program with a UUID"
        case .tooManyAtOnce(let limit):
            "this token or person is already sending \(limit) archives of dSYMs"
        case .tooSlow(let rate): "the archive arrives at less than \(rate.grouped) bytes per second"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .none, .notSymbols, .noPrograms: .invalid
        case .tooManyAtOnce: .tooMany
        case .tooSlow: .malformed
        case .tooLarge, .tooMany: .tooLarge
        case .unreadable: .unavailable
        case .unmatched, .replaced: .conflict
        case .unknown: .notFound
        }
    }

    /// A stable identifier for scripts.
    package var id: String {
        switch self {
        case .none: "symbols.none"
        case .notSymbols: "symbols.not-symbols"
        case .tooLarge, .tooMany: "symbols.too-large"
        case .unreadable: "symbols.unreadable"
        case .unmatched: "symbols.unmatched"
        case .unknown: "symbols.unknown"
        case .replaced: "symbols.replaced"
        case .noPrograms: "symbols.no-programs"
        case .tooManyAtOnce: "symbols.too-many-at-once"
        case .tooSlow: "symbols.too-slow"
        }
    }

    package var place: String {
        switch self {
        case .none(let place), .notSymbols(let place, _), .tooLarge(let place, _),
            .unreadable(let place, _):
            place
        case .tooMany, .unmatched, .unknown, .replaced, .noPrograms, .tooManyAtOnce, .tooSlow: ""
        }
    }

    package var fix: String {
        switch self {
        case .none:
            "give a .dSYM, a folder or ZIP archive of dSYMs, or the .xcarchive of the build"
        case .notSymbols: "build with DEBUG_INFORMATION_FORMAT set to dwarf-with-dsym"
        case .tooLarge, .tooMany: "give only the dSYMs of this app"
        case .unreadable: "check the path and its permissions"
        case .unmatched:
            "give the dSYMs of exactly this build; compare the UUIDs that `dwarfdump --uuid` shows "
                + "with those of `ota symbols list`"
        case .unknown: "see `ota symbols list APP RELEASE`"
        case .replaced: "add the dSYMs of the new file"
        case .noPrograms: "publish a build of an app for iOS"
        case .tooManyAtOnce: "send this one when one of the others has arrived"
        case .tooSlow: "send it over a faster connection"
        }
    }
}

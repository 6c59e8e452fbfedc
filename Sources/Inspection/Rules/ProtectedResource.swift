/// Something of the user's that iOS asks about, and what shows that an app uses it.
///
/// "Requesting access to protected resources" (UIKit): the question carries the purpose string, and
/// an app without one is ended when it asks. An app links much that it hardly uses, so what is
/// certain differs.
struct ProtectedResource: Sendable {
    /// What, beside the framework's being linked, makes sure that the question comes.
    enum Certainty: Sendable {
        /// The framework is of no use without.
        case linked
        /// Unless this framework is linked as well, whose views run outside of the app and need not
        /// ask.
        case linkedWithout(String)
        /// The framework does nothing without this entitlement.
        case entitled(String)
        /// Much of the framework asks nothing.
        case never
    }

    /// The framework's name in `/System/Library/Frameworks`.
    let framework: String
    /// The keys of Info.plist that carry a purpose; any will do, the first is the usual one.
    let purposes: [String]
    /// What iOS asks for, for people.
    let title: String
    let certainty: Certainty

    private init(
        _ framework: String,
        _ title: String,
        _ certainty: Certainty,
        _ purposes: String...,
    ) {
        self.framework = framework
        self.purposes = purposes
        self.title = title
        self.certainty = certainty
    }

    /// AVFoundation is not among them: playing a sound and recording one link the same framework.
    static let all: [ProtectedResource] = [
        ProtectedResource("ARKit", "the camera", .linked, "NSCameraUsageDescription"),
        ProtectedResource(
            "AppTrackingTransparency",
            "leave to track",
            .never,
            "NSUserTrackingUsageDescription",
        ),
        ProtectedResource(
            "Contacts",
            "the contacts",
            .linkedWithout("ContactsUI"),
            "NSContactsUsageDescription",
        ),
        ProtectedResource(
            "CoreBluetooth",
            "Bluetooth",
            .linked,
            "NSBluetoothAlwaysUsageDescription",
        ),
        ProtectedResource(
            "CoreLocation",
            "the location",
            .never,
            "NSLocationWhenInUseUsageDescription",
            "NSLocationAlwaysAndWhenInUseUsageDescription",
            "NSLocationAlwaysUsageDescription",
            "NSLocationUsageDescription",
        ),
        ProtectedResource(
            "CoreMotion",
            "motion and fitness",
            .never,
            "NSMotionUsageDescription",
        ),
        ProtectedResource(
            "CoreNFC",
            "the NFC reader",
            .entitled("com.apple.developer.nfc.readersession.formats"),
            "NFCReaderUsageDescription",
        ),
        ProtectedResource(
            "EventKit",
            "calendars and reminders",
            .linkedWithout("EventKitUI"),
            "NSCalendarsFullAccessUsageDescription",
            "NSCalendarsWriteOnlyAccessUsageDescription",
            "NSCalendarsUsageDescription",
            "NSRemindersFullAccessUsageDescription",
            "NSRemindersUsageDescription",
        ),
        ProtectedResource(
            "HealthKit",
            "health data",
            .entitled("com.apple.developer.healthkit"),
            "NSHealthShareUsageDescription",
            "NSHealthUpdateUsageDescription",
            "NSHealthClinicalHealthRecordsShareUsageDescription",
        ),
        ProtectedResource(
            "HomeKit",
            "the home",
            .entitled("com.apple.developer.homekit"),
            "NSHomeKitUsageDescription",
        ),
        ProtectedResource(
            "LocalAuthentication",
            "Face ID",
            .never,
            "NSFaceIDUsageDescription",
        ),
        ProtectedResource(
            "MediaPlayer",
            "the music library",
            .never,
            "NSAppleMusicUsageDescription",
        ),
        ProtectedResource(
            "MusicKit",
            "Apple Music",
            .linked,
            "NSAppleMusicUsageDescription",
        ),
        ProtectedResource(
            "NearbyInteraction",
            "nearby devices",
            .linked,
            "NSNearbyInteractionUsageDescription",
            "NSNearbyInteractionAllowOnceUsageDescription",
        ),
        ProtectedResource(
            "Photos",
            "the photo library",
            .linkedWithout("PhotosUI"),
            "NSPhotoLibraryUsageDescription",
            "NSPhotoLibraryAddUsageDescription",
        ),
        ProtectedResource(
            "SensorKit",
            "research sensors",
            .entitled("com.apple.developer.sensorkit.reader.allow"),
            "NSSensorKitUsageDescription",
        ),
        ProtectedResource(
            "Speech",
            "speech recognition",
            .linked,
            "NSSpeechRecognitionUsageDescription",
        ),
    ]
}

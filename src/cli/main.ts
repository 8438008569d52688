console.log("interlock");
